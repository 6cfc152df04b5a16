/** `{name}`, `{a.b}`, and `{{` or `}}` for a brace. Anything else in braces is text. */
const TOKEN = /\{\{|\}\}|\{([\p{L}_][\p{L}\p{N}_-]*(?:\.[\p{L}\p{N}_-]+)*)\}/gu;

/** The properties of the tool that a template may use, unless a parameter has the same name. */
export const TOOL_PROPERTIES = ['name', 'description'] as const;
export type ToolProperties = Readonly<Record<(typeof TOOL_PROPERTIES)[number], string>> & {
  parameters?: { properties?: Readonly<Record<string, unknown>> | undefined } | undefined;
};

/** The references of a template, each once, in order. */
export function referencesIn(template: string): string[] {
  const found = [...template.matchAll(TOKEN)].flatMap(([, path]) => (path === undefined ? [] : [path]));
  return [...new Set(found)];
}

/**
 * Fills a template in a single pass: the content of a value is never expanded again. Strings are inserted unchanged,
 * everything else as JSON. `absent` decides about optional values that are missing: nothing for a call, the reference
 * itself for a preview.
 */
export function fillTemplate(
  template: string,
  values: Readonly<Record<string, unknown>>,
  tool: ToolProperties,
  absent: 'empty' | 'reference' = 'empty',
): string {
  // With a function as replacement, `$&` in a value is text.
  return template.replace(TOKEN, (token: string, path: string | undefined) => {
    if (path === undefined) return token.slice(1);
    const value = valueAt(values, path.split('.'));
    if (value !== undefined) return typeof value === 'string' ? value : JSON.stringify(value);
    const property = TOOL_PROPERTIES.find((each) => each === path);
    if (property && !Object.hasOwn(tool.parameters?.properties ?? {}, property)) return tool[property];
    return absent === 'reference' ? token : '';
  });
}

function valueAt(values: unknown, path: readonly string[]): unknown {
  let at = values;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = Reflect.get(at, key);
  }
  return at;
}
