/** What the operators of RFC 6570 begin a value with, and what a value may hold. */
const EXPANSIONS: Record<string, string> = {
  '': '[^/?#&]*',
  '+': '.*',
  '#': '(?:#.*)?',
  '.': '(?:\\.[^/?#]*)?',
  '/': '(?:/[^?#]*)?',
  ';': '(?:;[^/?#]*)?',
  '?': '(?:\\?[^#]*)?',
  '&': '(?:&[^#]*)?',
};

/** Whether an address can come of a template. Not which values it has: that is for the server to say. */
export function matchesTemplate(template: string, uri: string): boolean {
  const pattern = template
    .split(/(\{[^{}]*\})/)
    .map((part) => {
      if (!/^\{.*\}$/.test(part)) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      const operator = /^\{([+#./;?&])/.exec(part)?.[1] ?? '';
      return EXPANSIONS[operator] ?? '.*';
    })
    .join('');
  return new RegExp(`^${pattern}$`, 's').test(uri);
}
