import { dirname } from 'node:path';
import { ZooError } from '../../contract/errors.ts';
import type { ConfigChange, ConfigEdit, FoundServer, NewSource } from '../../contract/operations/config.ts';
import { BrokenConfig, isTable, valueAt } from '../../platform/config-edits/format.ts';
import { toml } from '../../platform/config-edits/toml.ts';
import { addServers } from '../../tools/upstream/import/add-servers.ts';
import { EXPECTED_SERVERS, readServers } from '../../tools/upstream/import/read-servers.ts';

type Plan = Pick<ConfigEdit, 'after' | 'added' | 'skipped' | 'snippet'>;

const nothing = { added: [], skipped: [], snippet: '' };

/** Applies a change to the text of a config. Throws `BrokenConfig` for a config that cannot be edited. */
export function planChange(before: string, change: ConfigChange, file: string): Plan {
  switch (change.kind) {
    case 'paste-servers': {
      const found = readPasted(change.text);
      if (found.length === 0) {
        throw new ZooError('invalid_arguments', `The text has no servers: ${EXPECTED_SERVERS}.`);
      }
      return adding(before, found, file);
    }
    case 'add-servers': {
      const plan = adding(before, change.servers, file);
      const [refused] = change.all === true ? plan.skipped : [];
      if (!refused) return plan;
      throw new ZooError('already_exists', `${refused.name} was not added: ${refused.why}`);
    }
    case 'switch-server': {
      const path = existingServer(before, change.name, file);
      const patch = { disabled: change.disabled ? true : undefined };
      return { ...nothing, after: toml.patch(before, path, patch) };
    }
    case 'remove-server':
      return { ...nothing, after: toml.remove(before, existingServer(before, change.name, file)) };
    case 'remove-source':
      return { ...nothing, after: removeSource(before, change.id, file) };
    case 'restore':
      return { ...nothing, after: change.text };
    case 'add-source':
      return addSource(before, change.source);
    default:
      return change satisfies never;
  }
}

function readPasted(text: string): FoundServer[] {
  try {
    return readServers(text).map((server) => ({ ...server, from: 'the pasted text' }));
  } catch (error) {
    if (!(error instanceof BrokenConfig)) throw error;
    const where = error.line === null ? '' : `, line ${error.line}`;
    throw new ZooError('invalid_arguments', `The pasted text is not valid${where}: ${error.message}.`);
  }
}

function adding(before: string, found: readonly FoundServer[], file: string): Plan {
  const { text, ...rest } = addServers(before, found, dirname(file));
  return { after: text, ...rest };
}

function existingServer(text: string, name: string, file: string): string[] {
  const path = ['tools', 'mcp', name];
  if (isTable(valueAt(toml.parse(text), path))) return path;
  throw new ZooError('upstream_not_found', `${file} has no server '${name}'.`, { name });
}

function addSource(before: string, { type, name, ...settings }: NewSource): Plan {
  const path = ['connectors', type, name];
  if (valueAt(toml.parse(before), path) !== undefined) {
    throw new ZooError(
      'already_exists',
      `The config already has a source ${type}:${name}. Choose another name.`,
    );
  }
  return {
    after: toml.patch(before, path, settings),
    snippet: toml.patch('', path, settings),
    added: [{ name: `${type}:${name}`, from: 'you', notes: [] }],
    skipped: [],
  };
}

function removeSource(text: string, id: string, file: string): string {
  const [type = '', ...rest] = id.split(':');
  const path = ['connectors', type, rest.join(':')];
  if (isTable(valueAt(toml.parse(text), path))) return toml.remove(text, path);
  throw new ZooError('invalid_arguments', `${file} has no source '${id}'.`);
}
