/** Search parameters of the tools page. */
export interface ToolsSearch {
  q?: string | undefined;
  /** The name of the open tool, as on the wire or as shown. */
  tool?: string | undefined;
  /** The name of the open server. */
  server?: string | undefined;
  add?: true | undefined;
}

export function readToolsSearch(search: Record<string, unknown>): ToolsSearch {
  return {
    ...textOf('q', search),
    ...textOf('tool', search),
    ...textOf('server', search),
    ...(search['add'] === true ? { add: true } : {}),
  };
}

function textOf<K extends string>(key: K, search: Record<string, unknown>): { [key in K]?: string };
function textOf(key: string, search: Record<string, unknown>): Record<string, string> {
  const value = search[key];
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? { [key]: text } : {};
}
