import { loadConfig, saveConfig } from '../config-edits/config-file.ts';
import { applyPatch, isTable, type Table, valueAt } from '../config-edits/format.ts';
import type { LaunchPatch, McpClient, Place, Scope } from './client.ts';
import { withoutAbsent } from './own-launch.ts';

/** The entry to write, and where. */
export interface EntryTarget {
  client: McpClient;
  scope: Scope;
  file: string;
  /** Of the server, in the client's list. */
  name: string;
  agent: string | undefined;
  place: Place;
}

export interface EntryChange {
  changed: boolean;
  /** The backup copy of the file. */
  backup: string | null;
  /** The text of the file. */
  before: string;
  after: string;
}

interface EditOptions {
  /** Write nothing. */
  dryRun?: boolean;
}

/** The text of the entry, and a link that installs it where the client has one. Throws `BrokenConfig`. */
export async function renderEntry(
  { client, file, name }: EntryTarget,
  launch: LaunchPatch,
): Promise<{ snippet: string; link: string | null }> {
  const config = client.format.parse((await loadConfig(file)).text);
  return {
    snippet: client.format.patch('', [...client.serversPath(config), name], client.entry(launch, config)),
    link: client.link?.(name, withoutAbsent(launch)) ?? null,
  };
}

/** Throws `BrokenConfig`, and `conflict` if another program writes the file at the same time. */
export function writeEntry(
  target: EntryTarget,
  launch: LaunchPatch,
  options: EditOptions = {},
): Promise<EntryChange> {
  const { client } = target;
  return edit(target, options, (text, path, config) => {
    const patch = client.entry(launch, config);
    const now = valueAt(config, path);
    return isSame(now, applyPatch(now, patch)) ? text : client.format.patch(text, path, patch);
  });
}

export function removeEntry(target: EntryTarget, options: EditOptions = {}): Promise<EntryChange> {
  return edit(target, options, (text, path) => target.client.format.remove(text, path));
}

/** Loads, edits and saves a client's file; everything that is not ours must stay unchanged. */
async function edit(
  { client, file, name, scope, place }: EntryTarget,
  { dryRun = false }: EditOptions,
  change: (text: string, path: readonly string[], config: Table) => string,
): Promise<EntryChange> {
  const before = await loadConfig(file);
  const config = client.format.parse(before.text);
  const path = [...client.serversPath(config), name];
  const text = change(before.text, path, config);
  const edited = { changed: text !== before.text, backup: null, before: before.text, after: text };
  if (!edited.changed) return edited;
  if (!isSame(without(config, path), without(client.format.parse(text), path))) {
    throw new Error(`editing ${file} would have changed more than ${path.join('.')}; nothing was written`);
  }
  if (dryRun) return edited;
  const where = scope === 'user' ? { mode: 0o600, within: null } : { mode: 0o644, within: place.folder };
  return { ...edited, backup: await saveConfig(file, before, text, where) };
}

function without(config: Table, path: readonly string[]): Table {
  const [key = '', ...rest] = path;
  const { [key]: inner, ...others } = config;
  if (rest.length === 0 || !isTable(inner)) return others;
  const left = without(inner, rest);
  return Object.keys(left).length === 0 ? others : { ...others, [key]: left };
}

/** Ignores the order of keys. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one, sorted) === JSON.stringify(other, sorted);
}

function sorted(_key: string, value: unknown): unknown {
  // TOML has integers that JSON cannot represent.
  if (typeof value === 'bigint') return String(value);
  if (!isTable(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
