import { homedir } from 'node:os';
import { isAbsolute, relative, sep } from 'node:path';

/** Pads cells to the widest of their column, but no wider than its bound; the last cell of a row stays as it is. */
export function alignColumns(
  rows: readonly (readonly string[])[],
  bounds: readonly number[] = [],
  gap = 3,
): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, index) => {
      widths[index] = Math.max(widths[index] ?? 0, Math.min(widthOf(cell), bounds[index] ?? Infinity));
    });
  }
  return rows.map((row) =>
    row
      .map((cell, index) => {
        if (index === row.length - 1) return cell;
        return cell + ' '.repeat(Math.max(0, (widths[index] ?? 0) - widthOf(cell)) + gap);
      })
      .join('')
      .trimEnd(),
  );
}

/** Columns that a text takes on a terminal: wide (East Asian, emoji) characters take two, marks none. */
function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text) {
    if (/\p{Mn}|\p{Cf}/u.test(character)) continue;
    width +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u.test(
        character,
      )
        ? 2
        : 1;
  }
  return width;
}

const LEAST_WIDTH = 20;

/** Lines that are no wider than so many columns, broken at spaces, or anywhere in text that has none. */
export function wrap(text: string, width: number): string[] {
  const most = Math.max(LEAST_WIDTH, width);
  const lines: string[] = [];
  let line = '';
  let used = 0;
  const put = (piece: string, wide: number) => {
    if (line !== '' && used + wide > most) {
      lines.push(line.trimEnd());
      line = '';
      used = 0;
    }
    if (line === '' && piece === ' ') return;
    line += piece;
    used += wide;
  };
  for (const piece of text.split(/\n| (?=\S)/).flatMap((word, at) => (at === 0 ? [word] : [' ', word]))) {
    const wide = widthOf(piece);
    if (wide <= most && !(wide > most / 2 && wide > piece.length)) put(piece, wide);
    else for (const character of piece) put(character, widthOf(character));
  }
  return [...lines, line.trimEnd()];
}

/** The first line, cut to a width. */
export function firstLine(text: string, width: number): string {
  const line = printable(text.trim().split(/\r?\n/, 1)[0] ?? '');
  if (widthOf(line) <= width) return line;
  let cut = '';
  let used = 0;
  for (const character of line) {
    used += widthOf(character);
    if (used > width - 1) break;
    cut += character;
  }
  return `${cut.trimEnd()}…`;
}

/** Text of others must not move the cursor or set the title of the terminal it is shown on. */
export function printable(text: string): string {
  return text.replaceAll(/(?![\n\t])\p{Cc}/gu, '');
}

export function indent(text: string, by = '  '): string {
  return printable(text.replaceAll('\r\n', '\n'))
    .split('\n')
    .map((line) => (line === '' ? '' : by + line))
    .join('\n');
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** As short as it stays clear: relative below the folder, `~` below the user's home. */
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

/** `2026-11-15 08:20`, in the local time of whoever reads it. */
export function localTime(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
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
