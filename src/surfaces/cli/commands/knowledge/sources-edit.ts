import { existsSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import type { ZooClient } from '../../../../contract/api.ts';
import type { ConfigChange, ConfigTarget, NewSource } from '../../../../contract/operations/config.ts';
import { suggestSourceName } from '../../../../contract/source-name.ts';
import { terminalLine } from '../../../../platform/text/terminal-text.ts';
import { withClient } from '../../hub-access/with-client.ts';
import { print, say, warn } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { wrongUsage } from '../../output/failure.ts';
import { shortPath } from '../../render/layout.ts';

export interface AddSourceOptions {
  type?: SourceType;
  name?: string;
  include: string[];
  user?: true;
  print?: true;
}

type SourceType = 'folder' | 'git' | 'site';

/** Adds a knowledge source to a config: a folder, a Git repository or a site. */
export async function addSource(call: Invocation, place: string, options: AddSourceOptions): Promise<void> {
  const { type = guessType(place), name = suggestSourceName(place), include } = options;
  if (name === '') throw wrongUsage(`'${place}' does not suggest a name`, 'add --name NAME');
  if (type === 'folder') checkFolder(call, place);
  if (type === 'site' && include.length > 0) throw wrongUsage('--include is for folders and repositories');
  const target: ConfigTarget = options.user ? 'user' : 'workspace';
  const some = include.length === 0 ? {} : { include_globs: include };
  const edit = await withClient(call, async (client) => {
    const source: NewSource =
      type === 'site'
        ? { type: 'web', name, url: place }
        : type === 'git'
          ? { type: 'git', name, url: place, ...some }
          : {
              type: 'filesystem',
              name,
              root: await rootFor(client, resolve(call.folder, place), target),
              ...some,
            };
    const change: ConfigChange = { kind: 'add-source', source };
    return client.call(options.print ? 'previewConfig' : 'applyConfig', { body: { change, target } });
  });
  const { file, added, snippet } = edit;
  const data = { file: options.print ? null : file, added, ...(options.print && { toml: snippet }) };
  const notes = added.flatMap((one) => one.notes.map((note) => `\n  ${terminalLine(note)}`)).join('');
  print(call, data, () =>
    options.print
      ? snippet
      : `Added ${terminalLine(added[0]?.name ?? name)} to ${shortPath(file, call.folder)}.${notes}`,
  );
  if (call.json || options.print) return;
  say(
    call,
    edit.trust === 'changed' || edit.trust === 'untrusted'
      ? '\nNothing of this workspace runs until you approve the change: `zoo trust`.'
      : '\n`zoo sync` reads it now.',
  );
}

export async function removeSource(call: Invocation, id: string, { user }: { user?: true }): Promise<void> {
  const body = { change: { kind: 'remove-source', id }, target: user ? 'user' : 'workspace' } as const;
  const { file } = await withClient(call, (client) => client.call('applyConfig', { body }));
  print(
    call,
    { removed: id, file },
    () => `Removed ${terminalLine(id)} from ${shortPath(file, call.folder)}.`,
  );
}

/** As written to the config: relative if the folder is below it, so that the config can be shared. */
async function rootFor(client: ZooClient, folder: string, target: ConfigTarget): Promise<string> {
  const change = {
    kind: 'add-source',
    source: { type: 'filesystem', name: 'folder', root: folder },
  } as const;
  const { file } = await client.call('previewConfig', { body: { change, target } });
  const below = relative(dirname(file), folder);
  if (below === '') return '.';
  return below.startsWith('..') || isAbsolute(below) ? folder : below.split(sep).join('/');
}

/** A folder may be created later; a misspelt one is noticed now. */
function checkFolder(call: Invocation, place: string): void {
  if (/^[a-z][a-z+.-]+:\/\//i.test(place))
    throw wrongUsage(`'${place}' is neither a folder, a Git repository nor a site`);
  if (!existsSync(resolve(call.folder, place))) warn(call, `the folder ${place} does not exist yet`);
}

function guessType(place: string): SourceType {
  if (/^(git@|ssh:\/\/|git:\/\/|file:\/\/)/.test(place) || place.endsWith('.git')) return 'git';
  return /^https?:\/\//.test(place) ? 'site' : 'folder';
}
