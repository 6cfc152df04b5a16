import { existsSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import type { ConfigEdit, FoundServer } from '../../../../contract/operations/config.ts';
import { claudeDesktop } from '../../../../platform/clients/claude-desktop.ts';
import { placeOf } from '../../../../platform/clients/own-launch.ts';
import { loadConfig } from '../../../../platform/config-edits/config-file.ts';
import { BrokenConfig } from '../../../../platform/config-edits/format.ts';
import { terminalLine } from '../../../../platform/text/terminal-text.ts';
import { EXPECTED_SERVERS, readServers } from '../../../../tools/upstream/import/read-servers.ts';
import { withClient } from '../../hub-access/with-client.ts';
import { print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { brokenFailure } from '../../output/broken-config.ts';
import { Failure } from '../../output/failure.ts';
import { plural, shortPath } from '../../render/layout.ts';

export interface ImportOptions {
  print?: true;
}

/** Files in which clients keep the servers of a project. */
const PROJECT_FILES = ['.mcp.json', '.cursor/mcp.json', '.vscode/mcp.json', '.codex/config.toml'];
const STDIN = 'standard input';

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
  servers: FoundServer[],
  { print: printOnly = false, all = false }: { print?: boolean; all?: boolean },
): Promise<void> {
  const change = { kind: 'add-servers', servers, all } as const;
  const edit = await withClient(call, (client) =>
    client.call(printOnly ? 'previewConfig' : 'applyConfig', { body: { change, target: 'workspace' } }),
  );
  const { file, added, skipped, snippet } = edit;
  const data = { file: printOnly ? null : file, added, skipped, ...(printOnly && { toml: snippet }) };
  print(call, data, () => (printOnly ? snippet : render(edit, call)));
  if (call.json) return;
  if (printOnly) {
    const worthReading = skipped.length > 0 || added.some(({ notes }) => notes.length > 0);
    return worthReading ? say(call, renderNotes(edit)) : undefined;
  }
  if (added.length > 0 && edit.trust !== 'own' && edit.trust !== 'trusted')
    say(call, '\nNothing of this workspace runs until you approve the change: `zoo trust`.');
}

function projectFiles(call: Invocation): string[] {
  const files = PROJECT_FILES.map((file) => join(call.folder, file)).filter((file) => existsSync(file));
  if (files.length > 0) return files;
  const desktop = claudeDesktop.files('user', placeOf(call)).filter((file) => existsSync(file));
  throw new Failure(`none of ${PROJECT_FILES.join(', ')} is in ${call.folder}`, {
    hints: [
      'name the file: `zoo tools import FILE`, or paste it: `zoo tools import -`',
      ...desktop.map((file) => `Claude Desktop keeps its servers in ${file}`),
    ],
  });
}

async function serversIn(call: Invocation, named: string): Promise<FoundServer[]> {
  const file = named === '-' ? STDIN : resolve(call.folder, named);
  const text = named === '-' ? await call.terminal.readInput() : await loadServers(file);
  const found = await reading(file, async () =>
    extname(file) === '.json' ? readServers(text, true) : readServers(text),
  );
  if (found.length === 0) throw new Failure(`${file} has no servers`, { hints: [EXPECTED_SERVERS] });
  const folder = projectOf(file);
  return found.map((server) => ({ ...server, from: file, ...(folder === null ? {} : { folder }) }));
}

async function loadServers(file: string): Promise<string> {
  const { text, exists } = await reading(file, () => loadConfig(file));
  if (!exists) throw new Failure(`${file} does not exist`);
  return text;
}

/** The folder that a client starts the servers of a project's file in; null for other files. */
function projectOf(file: string): string | null {
  if (['.cursor', '.vscode', '.codex'].includes(basename(dirname(file)))) return dirname(dirname(file));
  return basename(file) === '.mcp.json' ? dirname(file) : null;
}

function render(edit: ConfigEdit, call: Invocation): string {
  const { added, file } = edit;
  const where = shortPath(file, call.folder);
  const heading =
    added.length === 0
      ? `Nothing to import into ${where}.`
      : `Added ${plural(added.length, 'server')} to ${where}.`;
  return [heading, renderNotes(edit)].filter((text) => text !== '').join('\n');
}

function renderNotes({ added, skipped }: ConfigEdit): string {
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
