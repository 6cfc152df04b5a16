import { existsSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { findConfig } from '../../../../platform/config/config.ts';
import { BrokenConfig, isTable, valueAt } from '../../clients/config/format.ts';
import type { Table } from '../../clients/config/format.ts';
import { brokenFailure, loadConfig, saveConfig } from '../../clients/config/config-file.ts';
import { jsonc } from '../../clients/config/jsonc.ts';
import { toml } from '../../clients/config/toml.ts';
import { claudeDesktop } from '../../clients/claude-desktop.ts';
import { placeOf } from '../../clients/own-launch.ts';
import { Failure } from '../../output/failure.ts';
import { print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { terminalLine } from '../../../../platform/text/terminal-text.ts';
import { plural, shortPath } from '../../render/layout.ts';
import { convertServer } from './convert-server.ts';

export interface ImportOptions {
  print?: true;
}

/** Files in which clients keep the servers of a project. */
const PROJECT_FILES = ['.mcp.json', '.cursor/mcp.json', '.vscode/mcp.json', '.codex/config.toml'];
/** The keys that lead to servers, in the files of any client. */
const LISTS = [['mcpServers'], ['mcp_servers'], ['servers'], ['mcp', 'servers']];
const STDIN = 'standard input';

export interface FoundServer {
  name: string;
  file: string;
  given: unknown;
}

interface Outcome {
  added: { name: string; from: string; notes: string[] }[];
  skipped: { name: string; from: string; why: string }[];
  text: string;
}

/** Imports servers of other clients into the config of the workspace. Existing ones are not changed. */
export async function importServers(
  call: Invocation,
  named: readonly string[],
  options: ImportOptions,
): Promise<void> {
  const files = named.length > 0 ? named : projectFiles(call);
  const found = (await Promise.all(files.map((file) => serversIn(call, file)))).flat();
  await writeServers(call, found, options);
}

/**
 * Writes servers as `[tools.mcp.NAME]`, with their secrets replaced by variables. With `all`, none may be skipped.
 */
export async function writeServers(
  call: Invocation,
  found: readonly FoundServer[],
  { print: printOnly = false, all = false }: { print?: boolean; all?: boolean },
): Promise<void> {
  const target = await configFile(call);
  const before = await reading(target, () => loadConfig(target));
  const outcome = await reading(target, async () =>
    merge(printOnly ? '' : before.text, toml.parse(before.text), found, dirname(target)),
  );
  const { added, skipped, text } = outcome;
  const [refused] = all ? skipped : [];
  if (refused) throw new Failure(`${refused.name} was not added: ${refused.why}`, { code: 'already_exists' });
  if (!printOnly && added.length > 0) await saveConfig(target, before, text, 0o644);
  const data = { file: printOnly ? null : target, added, skipped, ...(printOnly && { toml: text }) };
  print(call, data, () => (printOnly ? text : render(outcome, target, call)));
  if (call.json) return;
  if (printOnly) return say(call, renderNotes(outcome));
  if (added.length > 0) say(call, '\nNothing of it runs until you approve it: `zoo trust`.');
}

async function configFile({ config, folder }: Invocation): Promise<string> {
  if (config !== undefined) return resolve(folder, config);
  return (await findConfig(folder)) ?? join(folder, 'zoo.toml');
}

function projectFiles(call: Invocation): string[] {
  const files = PROJECT_FILES.map((file) => join(call.folder, file)).filter((file) => existsSync(file));
  if (files.length > 0) return files;
  const desktop = claudeDesktop.files('user', placeOf(call)).filter((file) => existsSync(file));
  throw new Failure(`no ${PROJECT_FILES.join(', ')} in ${call.folder}`, {
    hints: [
      'name the file: `zoo tools import FILE`, or paste it: `zoo tools import -`',
      ...desktop.map((file) => `Claude Desktop keeps its servers in ${file}`),
    ],
  });
}

async function serversIn(call: Invocation, named: string): Promise<FoundServer[]> {
  const file = named === '-' ? STDIN : resolve(call.folder, named);
  const text = named === '-' ? await call.terminal.readInput() : await readServers(file);
  const config = await reading(file, async () => parseServers(text, file));
  const lists = LISTS.map((path) => valueAt(config, path)).filter(isTable);
  // READMEs often show only the list itself.
  const bare = Object.values(config).length > 0 && Object.values(config).every(isServer) ? [config] : [];
  const found = lists.length > 0 ? lists : bare;
  if (found.length === 0) {
    throw new Failure(`${file} has no servers`, {
      hints: ['expected `mcpServers`, `servers`, `[mcp_servers.NAME]`, or `{"NAME": {"command": …}}`'],
    });
  }
  return found.flatMap((list) => Object.entries(list).map(([name, given]) => ({ name, file, given })));
}

async function readServers(file: string): Promise<string> {
  const { text, exists } = await reading(file, () => loadConfig(file));
  if (!exists) throw new Failure(`${file} does not exist`);
  return text;
}

/** JSON starts with a brace, which TOML never does. */
function parseServers(text: string, file: string): Table {
  const isJson = /^\s*(?:\{|\/[/*])/.test(text) || extname(file) === '.json';
  return isJson ? jsonc.parse(text) : toml.parse(text);
}

const isServer = (value: unknown): boolean =>
  isTable(value) && ['command', 'url', 'serverUrl', 'httpUrl'].some((key) => value[key] !== undefined);

function merge(start: string, config: Table, found: readonly FoundServer[], folder: string): Outcome {
  const existing = valueAt(config, ['tools', 'mcp']);
  const taken = new Map(
    Object.entries(isTable(existing) ? existing : {}).map(([name, entry]) => [name, same(entry)]),
  );
  const outcome: Outcome = { added: [], skipped: [], text: start };
  const secrets = new Map<string, string>();
  for (const { name, file, given } of found) {
    const skip = (why: string): void => void outcome.skipped.push({ name, from: file, why });
    const converted = convertServer(name, given, secrets);
    if ('skipped' in converted) {
      skip(converted.skipped);
      continue;
    }
    const entry = placed(converted.entry, file, folder);
    const twin = [...taken].find(([, other]) => other === same(entry))?.[0];
    if (twin !== undefined) skip(twin === name ? 'already there' : `already there, as ${twin}`);
    else if (taken.has(name)) skip('the config has another server with this name');
    else {
      outcome.text = toml.patch(outcome.text, ['tools', 'mcp', name], entry);
      taken.set(name, same(entry));
      outcome.added.push({ name, from: file, notes: converted.notes });
    }
  }
  return outcome;
}

/** Keeps the folder that the client would start the server in. */
function placed(entry: Table, file: string, folder: string): Table {
  if (entry['command'] === undefined || entry['cwd'] !== undefined) return entry;
  const inside = ['.cursor', '.vscode', '.codex'].includes(basename(dirname(file)));
  const isProject = inside || basename(file) === '.mcp.json';
  const project = inside ? dirname(dirname(file)) : dirname(file);
  const cwd = relative(folder, project);
  return !isProject || cwd === '' ? entry : { ...entry, cwd };
}

/** Equal for entries that start or reach the same server. */
function same(entry: unknown): string {
  const { command, args = [], env = {}, cwd = '.', url, headers = {} } = isTable(entry) ? entry : {};
  return JSON.stringify([command, args, env, cwd, url, headers]);
}

function render(outcome: Outcome, target: string, call: Invocation): string {
  const { added } = outcome;
  const where = shortPath(target, call.folder);
  const heading =
    added.length === 0
      ? `Nothing to import into ${where}.`
      : `Added ${plural(added.length, 'server')} to ${where}.`;
  return [heading, renderNotes(outcome)].filter((text) => text !== '').join('\n');
}

function renderNotes({ added, skipped }: Outcome): string {
  return [
    ...added.flatMap(({ name, notes }) => [
      `  ${terminalLine(name)}`,
      ...notes.map((note) => `      ${terminalLine(note)}`),
    ]),
    ...skipped.map(({ name, why }) => `  ${terminalLine(name)} skipped: ${why}`),
  ].join('\n');
}

async function reading<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof BrokenConfig ? brokenFailure(file, error) : error;
  }
}
