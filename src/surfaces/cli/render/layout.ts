import { homedir } from 'node:os';
import { isAbsolute, relative, sep } from 'node:path';
import { wrapAnsi } from 'fast-wrap-ansi';
import { terminalLine, terminalText } from '../../../platform/text/terminal-text.ts';
import type { View } from '../invocation.ts';
import { truncate, widthOf } from './table.ts';

const LEAST_WIDTH = 20;

/** Wraps lines at words. Escapes first, because escaped characters take more room. */
export function wrap(text: string, columns: number, margin = ''): string {
  const shown = terminalText(text);
  const width = Math.max(LEAST_WIDTH, columns - margin.length);
  const lines = columns === Infinity ? shown : wrapAnsi(shown, width, { hard: true });
  return lines
    .split('\n')
    .map((line) => (line === '' ? '' : margin + line.trimEnd()))
    .join('\n');
}

/** Labels with their values; long values are wrapped. */
export function renderFacts(
  facts: readonly (readonly [label: string, value: string])[],
  { columns }: Pick<View, 'columns'>,
  { indent = 2, gap = 3 }: { indent?: number; gap?: number } = {},
): string {
  const start = indent + Math.max(...facts.map(([label]) => widthOf(label))) + gap;
  return facts
    .map(([label, value]) => {
      const text = wrap(value, columns, ' '.repeat(start)).trimStart();
      return `${' '.repeat(indent)}${label}${' '.repeat(start - indent - widthOf(label))}${text}`.trimEnd();
    })
    .join('\n');
}

export function firstLine(text: string, width: number): string {
  return truncate(terminalLine(text.trim().split(/\r?\n/, 1)[0] ?? ''), width);
}

export function indent(text: string, by = '  '): string {
  return text
    .split(/\r?\n/)
    .map((line) => (line === '' ? '' : by + line))
    .join('\n');
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Relative below the folder, `~` below the user's home, else in full. */
export function shortPath(path: string, folder: string, home = homedir()): string {
  const below = (base: string): string | null => {
    const rest = relative(base, path);
    return rest !== '' && !rest.startsWith(`..${sep}`) && rest !== '..' && !isAbsolute(rest) ? rest : null;
  };
  const inFolder = below(folder);
  if (inFolder !== null) return inFolder;
  const inHome = below(home);
  return inHome === null ? path : `~${sep}${inHome}`;
}

export function renderOrigin(origin: { path: string; line?: number | undefined }, folder: string): string {
  return shortPath(origin.path, folder) + (origin.line === undefined ? '' : `:${origin.line}`);
}

const two = (value: number): string => String(value).padStart(2, '0');

/** `2026-11-15 08:20`, in local time. */
export function localTime(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** `08:20:13` for today, else the day and the minute; for terminals where every column counts. */
export function shortTime(iso: string, now = new Date()): string {
  const at = new Date(iso);
  const [day = iso, minute = ''] = localTime(iso).split(' ');
  if (minute === '' || localTime(now.toISOString()).startsWith(day)) {
    return minute === '' ? iso : `${minute}:${two(at.getSeconds())}`;
  }
  return `${day.slice(5)} ${minute}`;
}

export function renderBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}
