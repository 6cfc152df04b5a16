import type { CallContext } from '../../contract/call.ts';
import type { Tool, ToolProvider } from '../../contract/tool.ts';
import { memoByInputs } from '../../platform/caching/memo-by-inputs.ts';
import type { Log } from '../../platform/home/log.ts';
import type { Database } from '../../platform/store/database.ts';
import { recordEvent } from '../../platform/store/events.ts';
import type { Questions } from '../../platform/store/questions.ts';
import { type Environment, homeFiles } from '../../platform/home/paths.ts';
import { createSecretFiles } from '../../platform/home/secret-files.ts';
import { createLogins } from '../../tools/upstream/login/logins.ts';
import { createProcesses, type Processes } from '../../platform/processes/processes.ts';
import { createUpstreamPrompts, type Reachable } from '../../tools/upstream/upstream-prompts.ts';
import { createUpstreamResources } from '../../tools/upstream/upstream-resources.ts';
import { createAcceptedTools } from '../../tools/upstream/accepted-tools.ts';
import { createToolMaker } from '../../tools/upstream/upstream-tools.ts';
import { createUpstreams, type Upstreams } from '../../tools/upstream/upstreams.ts';
import { createUpstreamEntries } from './upstream-entries.ts';
import type { AgentDirectory } from '../agents/agent-directory.ts';
import type { AgentScopes } from '../tools/scopes.ts';
import type { Wing } from '../wing.ts';
import { createStateAnnouncer } from './announce-states.ts';
import { asWritten, describeAbsence } from './describe-absence.ts';
import { implementUpstreams } from './implement-upstreams.ts';
import type { View } from '../workspaces/view.ts';
import type { Views } from '../workspaces/views.ts';

export interface UpstreamsWingParts {
  home: string;
  db: Database;
  env: Environment;
  directory: Pick<AgentDirectory, 'view'>;
  scopes: Pick<AgentScopes, 'toolsFor'>;
  views: Pick<Views, 'follow'>;
  questions: Pick<Questions, 'list' | 'answer'>;
  /** Whether servers are discovered without a call, and orphans of an earlier hub are stopped. */
  serving: boolean;
  log(message: string, error: unknown): void;
  output: Partial<Pick<Log, 'warn'>>;
}

/**
 * Upstream MCP servers: their tools, and prompts and resources for callers with at least one of their tools in
 * scope.
 */
export function createUpstreamsWing(options: UpstreamsWingParts): Wing<'upstreams'> {
  const { home, db, env, directory, scopes, views, serving, log } = options;
  const entries = createUpstreamEntries((hashes) => void upstreams.retain(hashes));
  views.follow({ onOpen: () => undefined, onClose: entries.unfollow });
  const logins = createLogins(createSecretFiles(homeFiles(home).logins));
  const processes = createProcesses(homeFiles(home).processes, env);
  const states = createStateAnnouncer(db, { serving, log });
  const upstreams: Upstreams = createUpstreams({
    db,
    processes,
    ready: serving ? endOrphans(processes, options) : Promise.resolve(),
    discover: serving,
    now: () => Date.now(),
    onError: log,
    onChanged: (owners) =>
      void tellOwners(db, owners).catch((error: unknown) => log('a change notification failed', error)),
    onState: (owners) => states.announce(owners),
    admit: (upstream) => entries.admit(upstream),
    auth: async ({ launch }) => (launch.kind === 'http' ? logins.provider(launch.url) : null),
  });
  const accepted = createAcceptedTools(db, { now: () => new Date(), onError: log });
  const toTools = createToolMaker(upstreams, (...use) => accepted.used(...use));
  const toolsOf = memoByInputs((lists: readonly (readonly Tool[])[], _view: View) => lists.flat());

  async function reachableOf(view: View): Promise<Reachable[]> {
    const all = entries.of(view);
    if (all.length === 0) return [];
    const known = await upstreams.known(all);
    return all.flatMap((upstream, index) => {
      const found = known[index];
      return found ? [{ upstream, known: found }] : [];
    });
  }

  /** If it is unknown what was accepted, a pinned server offers nothing. */
  async function toolsIn({ upstream, known }: Reachable): Promise<readonly Tool[]> {
    try {
      return toTools(upstream, known, await accepted.changes(upstream, known.lists));
    } catch (error) {
      log('the accepted tools of a server could not be read', error);
      return upstream.pin ? NO_TOOLS : toTools(upstream, known, accepted.peek(upstream));
    }
  }

  const provider: ToolProvider<View> = {
    async tools(view) {
      return toolsOf(view, await Promise.all((await reachableOf(view)).map(toolsIn)));
    },
    arrive: (view) => upstreams.arrive(entries.of(view)),
    diagnostics: async (view) => entries.diagnostics(view),
    absence: (name, view) => describeAbsence(name, view, { upstreams, entries, accepted }),
    async awaitTool(name, view, isWanted) {
      // Matches the prefix of the name; the server then decides.
      const unseen = entries.of(view).filter((each) => {
        const written = upstreams.peek(each) ? null : asWritten(each.name, name);
        return written !== null && isWanted(written);
      });
      const looks = await Promise.allSettled(unseen.map((each) => upstreams.look(each)));
      return looks.some(({ status }) => status === 'fulfilled');
    },
  };

  /** A server is in scope when one of its tools is; the operator has them all. */
  async function reachable(context: CallContext): Promise<Reachable[]> {
    const all = await reachableOf(await directory.view(context.workspace));
    if (context.agent === null || all.length === 0) return all;
    const granted = new Set((await scopes.toolsFor(context)).map(({ name }) => name));
    const tools = await Promise.all(all.map(toolsIn));
    return all.filter((_each, index) => tools[index]?.some(({ descriptor }) => granted.has(descriptor.name)));
  }

  return {
    operations: implementUpstreams(
      directory,
      {
        upstreams,
        entries,
        logins,
        accepted,
        announce: (owners) => tellOwners(db, owners),
        signedIn: (server) => answerLogins(server, options),
      },
      env,
    ),
    toolProviders: [provider],
    offers: [
      {
        prompts: createUpstreamPrompts(upstreams, reachable),
        resources: createUpstreamResources(upstreams, reachable),
      },
    ],
    clientGone: (client) => upstreams.clientGone(client),
    close() {
      states.close();
      return upstreams.close();
    },
  };
}

async function tellOwners(db: Database, owners: (string | null)[]): Promise<void> {
  const at = new Date().toISOString();
  await db.transaction(async (tx) => {
    for (const workspace of owners) {
      await recordEvent(tx, { type: 'tools-changed', workspace, agentId: null }, at);
    }
  });
}

async function answerLogins(
  server: string,
  { questions, log }: Pick<UpstreamsWingParts, 'questions' | 'log'>,
): Promise<void> {
  const open = await questions.list({ kind: 'login' });
  for (const { id } of open.filter(({ details: { server: waited } }) => waited === server)) {
    await questions
      .answer(id, { action: 'accept' }, 'sign-in')
      .catch((error: unknown) => log('a question could not be answered', error));
  }
}

/** A new server may need the ports or files that an orphan still holds. */
async function endOrphans(
  processes: Pick<Processes, 'endOrphans'>,
  { log, output }: Pick<UpstreamsWingParts, 'log' | 'output'>,
): Promise<void> {
  try {
    for (const orphan of await processes.endOrphans()) {
      output.warn?.('stopped a process that an earlier hub left running', { ...orphan });
    }
  } catch (error) {
    log('processes that an earlier hub left running could not be stopped', error);
  }
}

const NO_TOOLS: readonly Tool[] = [];
