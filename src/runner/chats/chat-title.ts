import type { UserPart } from '../../contract/run.ts';

const TITLE_LENGTH = 80;

/** A chat is called after the first line of its first message. */
export function titleOf(parts: readonly UserPart[]): string {
  const text = parts
    .map((part) => (part.type === 'text' ? part.text : (part.name ?? part.mediaType)))
    .join('\n');
  const [line = ''] = text.trim().split(/\r?\n/, 1);
  return line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH - 1)}…` : line;
}
