import { redact, redactText } from '../text/redact.ts';

const KEPT = 8 * 1024;
const SHOWN_LINES = 8;
const SHOWN_WIDTH = 300;

/** The last part of an endless output. */
export interface Tail {
  add(text: string): void;
  /** The last lines, without secrets. */
  text(): string;
}

export function createTail(secrets: readonly string[] = []): Tail {
  let kept = '';
  const shown = (line: string): string =>
    secrets.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), redactText(line));
  return {
    add(text) {
      kept = (kept + text).slice(-KEPT);
    },
    text: () =>
      kept
        .split('\n')
        .map((line) => shown(line.trimEnd()).slice(0, SHOWN_WIDTH))
        .filter((line) => line !== '')
        .slice(-SHOWN_LINES)
        .join('\n'),
  };
}

/** The values that are secrets, judged by the names of their keys. */
export function secretsOf(table: Readonly<Record<string, string>>): string[] {
  return Object.entries(table).flatMap(([name, value]) =>
    value.length >= 4 && redact({ [name]: value })[name] === '[redacted]' ? [value] : [],
  );
}
