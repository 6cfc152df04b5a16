import { hash } from 'node:crypto';

/**
 * Marks text as data, not as instructions. Both tags carry a digest of everything between them, so a text cannot
 * contain its own closing tag, however it is spelled. The same text gets the same fence: prompts can be cached and
 * compared.
 */
export function fence(
  tag: string,
  attributes: Record<string, string | undefined>,
  body: string,
  digest = digestOf,
): string {
  const pairs = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : [` ${name}="${oneLine(value).replace(/["<>]/g, ' ')}"`],
  );
  const inner = body.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd();
  const name = `${tag}-${unusedDigest(pairs.join('') + inner, digest)}`;
  return `<${name}${pairs.join('')}>\n${inner}\n</${name}>`;
}

/** Without line breaks, control characters or invisible ones. */
export const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cf}]/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();

function unusedDigest(text: string, digest: (text: string) => string): string {
  let found = digest(text);
  while (text.includes(found)) found = digest(`${found}${text}`);
  return found;
}

/** 64 bits: nobody finds a text that contains its own. */
const digestOf = (text: string): string => hash('sha256', text, 'hex').slice(0, 16);
