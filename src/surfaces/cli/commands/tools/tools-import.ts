import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
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
import { plural, printable, shortPath } from '../../render/layout.ts';
import { convertServer } from './convert-server.ts';

export interface ImportOptions {
  print?: true;
}

/** Where clients keep servers in a project, and the keys that lead to them in any file of theirs. */
const PROJECT_FILES = ['.mcp.json', '.cursor/mcp.json', '.vscode/mcp.json'];
const LISTS = [['mcpServers'], ['servers'], ['mcp', 'servers']];

interface Found {
  name: string;
  file: string;
  given: unknown;
}

interface Outcome {
  added: { name: string; from: string; notes: string[] }[];
  skipped: { name: string; from: string; why: string }[];
  text: string;
}

/** Takes servers of other clients over into the config of the workspace. What is there already stays as it is. */
export async function importServers(
  call: Invocation,
  named: readonly string[],
  options: ImportOptions,
): Promise<void> {
  const target =
    call.config === undefined
      ? ((await findConfig(call.folder)) ?? join(call.folder, 'zoo.toml'))
      : resolve(call.folder, call.config);
  const files = named.length > 0 ? named.map((file) => resolve(call.folder, file)) : projectFiles(call);
  const found = (await Promise.all(files.map(serversIn))).flat();
  const before = await reading(target, () => loadConfig(target));
  const outcome = await reading(target, async () =>
    merge(options.print ? '' : before.text, toml.parse(before.text), found, dirname(target)),
  );

  if (!options.print && outcome.added.length > 0) await saveConfig(target, before, outcome.text, 0o644);
  const { added, skipped, text } = outcome;
  const data = { file: options.print ? null : target, added, skipped, ...(options.print && { toml: text }) };
  print(call, data, () => (options.print ? text : render(outcome, target, call)));
  if (call.json) return;
  if (options.print) return say(call, renderNotes(outcome));
  if (added.length > 0) say(call, '\nNothing of it runs before you have approved it: `zoo trust`.');
}

function projectFiles(call: Invocation): string[] {
  const files = PROJECT_FILES.map((file) => join(call.folder, file)).filter((file) => existsSync(file));
  if (files.length > 0) return files;
  const desktop = claudeDesktop.files('user', placeOf(call)).filter((file) => existsSync(file));
  throw new Failure(`there is no ${PROJECT_FILES.join(', ')} in ${call.folder}`, {
    hints: [
      'name the file: `zoo tools import FILE`',
      ...desktop.map((file) => `Claude Desktop has its servers in ${file}`),
    ],
  });
}

async function serversIn(file: string): Promise<Found[]> {
  const { text, exists } = await reading(file, () => loadConfig(file));
  if (!exists) throw new Failure(`${file} does not exist`);
  const config = await reading(file, async () => jsonc.parse(text));
  const lists = LISTS.map((path) => valueAt(config, path)).filter(isTable);
  if (lists.length === 0) {
    throw new Failure(`${file} has no servers`, { hints: ['it should have `mcpServers` or `servers`'] });
  }
  return lists.flatMap((list) => Object.entries(list).map(([name, given]) => ({ name, file, given })));
}

function merge(start: string, config: Table, found: readonly Found[], folder: string): Outcome {
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
    if (twin !== undefined) skip(twin === name ? 'is there already' : `is there already, as ${twin}`);
    else if (taken.has(name)) skip('the config has another server of this name');
    else {
      outcome.text = toml.patch(outcome.text, ['tools', 'mcp', name], entry);
      taken.set(name, same(entry));
      outcome.added.push({ name, from: file, notes: converted.notes });
    }
  }
  return outcome;
}

/** What a client starts in the folder of its project is started there by us as well. */
function placed(entry: Table, file: string, folder: string): Table {
  if (entry['command'] === undefined || entry['cwd'] !== undefined) return entry;
  const inside = ['.cursor', '.vscode'].includes(basename(dirname(file)));
  const isProject = inside || basename(file) === '.mcp.json';
  const project = inside ? dirname(dirname(file)) : dirname(file);
  const cwd = relative(folder, project);
  return !isProject || cwd === '' ? entry : { ...entry, cwd };
}

/** Two entries that start or reach the same. */
function same(entry: unknown): string {
  const { command, args = [], env = {}, cwd = '.', url, headers = {} } = isTable(entry) ? entry : {};
  return JSON.stringify([command, args, env, cwd, url, headers]);
}

function render(outcome: Outcome, target: string, call: Invocation): string {
  const { added } = outcome;
  const where = shortPath(target, call.folder);
  const heading =
    added.length === 0
      ? `Nothing to take over into ${where}.`
      : `Took over ${plural(added.length, 'server')} into ${where}.`;
  return [heading, renderNotes(outcome)].filter((text) => text !== '').join('\n');
}

function renderNotes({ added, skipped }: Outcome): string {
  return [
    ...added.flatMap(({ name, notes }) => [
      `  ${printable(name)}`,
      ...notes.map((note) => `      ${printable(note)}`),
    ]),
    ...skipped.map(({ name, why }) => `  ${printable(name)} skipped: ${why}`),
  ].join('\n');
}

async function reading<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof BrokenConfig ? brokenFailure(file, error) : error;
  }
}
