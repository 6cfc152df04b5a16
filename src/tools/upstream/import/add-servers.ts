import { relative } from 'node:path';
import { isTable, type Table, valueAt } from '../../../platform/config-edits/format.ts';
import { toml } from '../../../platform/config-edits/toml.ts';
import type { FoundServer } from '../../../contract/operations/config.ts';
import { convertServer } from './convert-server.ts';

export interface AddedServers {
  /** The whole config. */
  text: string;
  /** The additions alone. */
  snippet: string;
  added: { name: string; from: string; notes: string[] }[];
  skipped: { name: string; from: string; why: string }[];
}

/**
 * Adds servers of other clients to the text of a config as `[tools.mcp.NAME]`, with their secrets replaced by
 * variables. Existing servers are not changed. `folder` is that of the config. Throws `BrokenConfig`.
 */
export function addServers(config: string, found: readonly FoundServer[], folder: string): AddedServers {
  const existing = valueAt(toml.parse(config), ['tools', 'mcp']);
  const taken = new Map(
    Object.entries(isTable(existing) ? existing : {}).map(([name, entry]) => [name, identity(entry)]),
  );
  const outcome: AddedServers = { text: config, snippet: '', added: [], skipped: [] };
  const secrets = new Map<string, string>();
  for (const { name, from, given, folder: start } of found) {
    const skip = (why: string): void => void outcome.skipped.push({ name, from, why });
    const converted = convertServer(name, given, secrets);
    if ('skipped' in converted) {
      skip(converted.skipped);
      continue;
    }
    const entry = placed(converted.entry, start, folder);
    const twin = [...taken].find(([, other]) => other === identity(entry))?.[0];
    if (twin !== undefined) skip(twin === name ? 'already there' : `already there, as ${twin}`);
    else if (taken.has(name)) skip('the config has another server with this name');
    else {
      const path = ['tools', 'mcp', name];
      outcome.text = toml.patch(outcome.text, path, entry);
      outcome.snippet = toml.patch(outcome.snippet, path, entry);
      taken.set(name, identity(entry));
      outcome.added.push({ name, from, notes: converted.notes });
    }
  }
  return outcome;
}

/** Keeps the folder that the client would start the server in. */
function placed(entry: Table, start: string | undefined, folder: string): Table {
  if (start === undefined || entry['command'] === undefined || entry['cwd'] !== undefined) return entry;
  const cwd = relative(folder, start);
  return cwd === '' ? entry : { ...entry, cwd };
}

/** Equal for entries that start or reach the same server. */
function identity(entry: unknown): string {
  const { command, args = [], env = {}, cwd = '.', url, headers = {} } = isTable(entry) ? entry : {};
  return JSON.stringify([command, args, env, cwd, url, headers]);
}
