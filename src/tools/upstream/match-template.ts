import { compileOutsidePattern } from '../../platform/text/outside-pattern.ts';

/** What each operator of RFC 6570 expands to. */
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

/** Whether a URI can be an expansion of a template. The server decides whether it really is. */
export function matchesTemplate(template: string, uri: string): boolean {
  const pattern = template
    .split(/(\{[^{}]*\})/)
    .map((part) => {
      if (!/^\{.*\}$/.test(part)) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      const operator = /^\{([+#./;?&])/.exec(part)?.[1] ?? '';
      return EXPANSIONS[operator] ?? '.*';
    })
    .join('');
  return compileOutsidePattern(`^${pattern}$`, 's')?.test(uri) ?? false;
}
