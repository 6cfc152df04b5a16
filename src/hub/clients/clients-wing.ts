import type { CallContext } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import { nearest } from '../../contract/nearest.ts';
import {
  type EntryChange,
  type EntryTarget,
  removeEntry,
  renderEntry,
  writeEntry,
} from '../../platform/clients/client-entry.ts';
import { fileFor, isInstalled, loadClientFiles, serverName } from '../../platform/clients/connections.ts';
import { clients } from '../../platform/clients/index.ts';
import { ownLaunch, placeOf } from '../../platform/clients/own-launch.ts';
import { refuseBroken } from '../../platform/config-edits/config-file.ts';
import type { Environment } from '../../platform/home/paths.ts';
import type { Database } from '../../platform/store/database.ts';
import type { AgentDirectory } from '../agents/agent-directory.ts';
import type { Wing } from '../wing.ts';
import { createClientSightings } from './client-sightings.ts';

export interface ClientsWingParts {
  db: Database;
  env: Environment;
  now: () => Date;
  directory: Pick<AgentDirectory, 'find' | 'view'>;
  log(message: string, error: unknown): void;
}

export interface ClientsWing extends Wing<'clients'> {
  /** Records that an MCP client has called, by the name in its handshake. */
  clientSeen(name: string, context: Pick<CallContext, 'agent' | 'workspace'>): void;
}

interface Wanted {
  scope?: 'user' | 'project' | undefined;
  agent?: string | undefined;
}

/** MCP clients on the hub's machine: their config files, and when they were last seen. */
export function createClientsWing({ db, env, now, directory, log }: ClientsWingParts): ClientsWing {
  const sightings = createClientSightings(db, now, log);

  async function placeIn(workspace: string) {
    return placeOf({ env, folder: (await directory.view(workspace)).located.path });
  }

  async function findTarget(id: string, wanted: Wanted, workspace: string): Promise<EntryTarget> {
    const client = clients.find((each) => each.id === id);
    const { scope = 'user', agent } = wanted;
    if (!client) throw unknownClient(id);
    const place = await placeIn(workspace);
    const file = fileFor(client, scope, place);
    if (file === null) {
      throw new ZooError('invalid_arguments', `${client.title} has no ${scope} config, only a user config.`);
    }
    return { client, scope, file, name: serverName(agent), agent, place };
  }

  return {
    clientSeen: (name, context) => sightings.note(name, context),
    close: () => sightings.close(),
    operations: {
      async listClients(_input, { workspace }) {
        const place = await placeIn(workspace);
        const seen = await sightings.list();
        const ofClient = new Set<string>();
        const found = await Promise.all(
          clients.map(async (client) => {
            const files = await loadClientFiles(client, place);
            const own = seen.filter(({ name }) => client.callsItself.test(name));
            for (const { name } of own) ofClient.add(name);
            return {
              id: client.id,
              title: client.title,
              installed: await isInstalled(client, place),
              files: files.map(({ scope, file, connections, problem }) => ({
                scope,
                file,
                connections: connections.map(({ name, agent, off }) => ({ name, agent: agent ?? null, off })),
                problem: problem && { line: problem.line, message: problem.message },
              })),
              seen: own,
            };
          }),
        );
        return { clients: found, others: seen.filter(({ name }) => !ofClient.has(name)) };
      },

      async getClientEntry({ client: id, scope, agent }, context) {
        const target = await findTarget(id, { scope, agent }, context.workspace);
        if (agent !== undefined) await directory.find(agent, context);
        const launch = await ownLaunch(target.client, target.place, agent);
        const { snippet, link } = await refuseBroken(target.file, () => renderEntry(target, launch));
        return { ...describe(target), snippet, link, next: target.client.next };
      },

      async connectClient({ client: id, body = {} }, context) {
        const target = await findTarget(id, body, context.workspace);
        if (body.agent !== undefined) await directory.find(body.agent, context);
        const launch = await ownLaunch(target.client, target.place, body.agent);
        return {
          ...describe(target),
          ...outcome(await refuseBroken(target.file, () => writeEntry(target, launch))),
        };
      },

      async disconnectClient({ client: id, body = {} }, { workspace }) {
        const target = await findTarget(id, body, workspace);
        return {
          ...describe(target),
          ...outcome(await refuseBroken(target.file, () => removeEntry(target))),
        };
      },
    },
  };
}

const outcome = ({ changed, backup }: EntryChange) => ({ changed, backup });

const describe = ({ client, scope, file, name, agent }: EntryTarget) => ({
  client: client.id,
  scope,
  file,
  name,
  agent: agent ?? null,
});

function unknownClient(id: string): ZooError {
  const ids = clients.map((each) => each.id);
  const near = nearest(id, ids);
  const hint = near === null ? `Available: ${ids.join(', ')}.` : `Did you mean '${near}'?`;
  return new ZooError('invalid_arguments', `Client '${id}' not found. ${hint}`);
}
