import measure from 'fast-string-truncated-width';
import { wrapAnsi } from 'fast-wrap-ansi';

const LEAST_WIDTH = 20;

/** Wraps long lines at words and keeps their indentation. Longer words, such as paths, are left whole. */
export function wrapMessage(text: string, columns: number): string {
  return text
    .split('\n')
    .map((line) => {
      if (measure(line).width <= columns) return line;
      const margin = /^ */.exec(line)?.[0] ?? '';
      const width = Math.max(LEAST_WIDTH, columns - margin.length);
      return margin + wrapAnsi(line.slice(margin.length), width).replaceAll('\n', `\n${margin}`);
    })
    .join('\n');
}
