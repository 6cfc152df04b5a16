import { terminalLine } from '../../../platform/text/terminal-text.ts';
import type { Paint, Style } from '../output/paint.ts';

const colours: Record<string, Style> = { debug: 'dim', info: 'bold', warn: 'warning', error: 'alert' };

/** A JSON line of the log for a person; any other line as it is. */
export function renderLogLine(line: string, paint: Paint): string {
  const entry = parseLine(line);
  if (!entry) return line;
  const { time, level, msg, ...fields } = entry;
  const name = textOf(level);
  const rest = Object.entries(fields).filter(([key]) => key !== 'err' && key !== 'error');
  const facts = rest.map(([key, value]) => paint('dim', `${key}=${textOf(value)}`));
  const head = [shortTime(time), paint(colours[name] ?? 'dim', name.padEnd(5)), textOf(msg), ...facts].join(
    ' ',
  );
  return [head, ...stackOf(fields['err'] ?? fields['error'])].join('\n');
}

function textOf(value: unknown): string {
  if (value === undefined) return '';
  return terminalLine(typeof value === 'string' ? value : JSON.stringify(value));
}

function stackOf(error: unknown): string[] {
  if (typeof error !== 'object' || error === null)
    return error === undefined ? [] : [`    ${JSON.stringify(error)}`];
  const text = 'stack' in error ? error.stack : 'message' in error ? error.message : JSON.stringify(error);
  return String(text)
    .split('\n')
    .map((line) => `    ${line.trim()}`);
}

function parseLine(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function shortTime(time: unknown): string {
  const at = new Date(String(time));
  return Number.isNaN(at.getTime()) ? '--:--:--' : at.toTimeString().slice(0, 8);
}
