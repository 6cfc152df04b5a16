/**
 * Marks text as data, not as instructions. Whatever in it looks like the fence itself is defused,
 * so that a document cannot end its own fence and speak as the prompt.
 */
export function fence(tag: string, attributes: Record<string, string | undefined>, body: string): string {
  const pairs = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${value.replace(/["<>\n\r]/g, ' ')}"`],
  );
  const inner = body
    .replace(/^(?:[^\S\n]*\n)+/, '')
    .trimEnd()
    .replace(new RegExp(`<(\\s*/?\\s*${tag})`, 'gi'), '&lt;$1');
  return `<${tag} ${pairs.join(' ')}>\n${inner}\n</${tag}>`;
}
