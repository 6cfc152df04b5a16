import { redact, redactText } from '../text/redact.ts';
import { createSecretMask } from '../text/secret-mask.ts';

const KEPT = 8 * 1024;
const SHOWN_LINES = 8;
const SHOWN_WIDTH = 300;
const LONGEST_SECRET = 2048;

/** The last part of an endless output. */
export interface Tail {
  add(text: string): void;
  /** The last lines, without secrets. */
  text(): string;
}

export function createTail(secrets: readonly string[] = []): Tail {
  const mask = createSecretMask(secrets);
  let kept = '';
  // Masks before it cuts: half a secret would not be recognised.
  const shown = (line: string): string => mask.text(redactText(line));
  return {
    add(text) {
      const all = kept + text;
      kept = all.length <= KEPT ? all : withoutPart(all.slice(-KEPT));
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

/** Without the rest of a line whose beginning was cut off, as it may be the rest of a secret. */
function withoutPart(text: string): string {
  const end = text.indexOf('\n');
  return text.slice(end < 0 ? LONGEST_SECRET : end + 1);
}

/** The values that are secrets, judged by the names of their keys. */
export function secretsOf(table: Readonly<Record<string, string>>): string[] {
  return Object.entries(table).flatMap(([name, value]) =>
    value.length >= 4 && redact({ [name]: value })[name] === '[redacted]' ? [value] : [],
  );
}
