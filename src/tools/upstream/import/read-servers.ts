import { isTable, type Table, valueAt } from '../../../platform/config-edits/format.ts';
import { jsonc } from '../../../platform/config-edits/jsonc.ts';
import { toml } from '../../../platform/config-edits/toml.ts';

/** The keys that lead to servers, in the files of any client. */
const LISTS = [['mcpServers'], ['mcp_servers'], ['servers'], ['mcp', 'servers'], ['tools', 'mcp']];

export const EXPECTED_SERVERS =
  'expected `mcpServers`, `servers`, `[mcp_servers.NAME]`, or `{"NAME": {"command": …}}`';

/** The servers in the config of any client, as JSON or TOML. Throws `BrokenConfig`; empty if it has none. */
export function readServers(text: string, isJson = looksLikeJson(text)): { name: string; given: unknown }[] {
  const config = isJson ? jsonc.parse(asObject(text)) : toml.parse(text);
  const lists = LISTS.map((path) => valueAt(config, path)).filter(isTable);
  // READMEs often show only the list itself.
  const bare = Object.values(config).length > 0 && Object.values(config).every(isServer) ? [config] : [];
  return (lists.length > 0 ? lists : bare).flatMap((list) =>
    Object.entries(list).map(([name, given]) => ({ name, given })),
  );
}

/** JSON starts with a brace, which TOML never does; or with the first key of a list that was copied without it. */
const looksLikeJson = (text: string): boolean => /^\s*(?:\{|\/[/*]|"[^"\n]*"\s*:)/.test(text);

/** People copy `"mcpServers": { … }` without the braces around it. */
const asObject = (text: string): string => (/^\s*"/.test(text) ? `{${text.trim().replace(/,$/, '')}}` : text);

const isServer = (value: unknown): value is Table =>
  isTable(value) && ['command', 'url', 'serverUrl', 'httpUrl'].some((key) => value[key] !== undefined);
