import type { CallContext } from '../../contract/call.ts';
import type { Tool, ToolDescriptor } from '../../contract/tool.ts';
import { homeFiles } from '../../platform/home/paths.ts';
import { createProcesses } from '../../platform/processes/processes.ts';
import { messageOf } from '../../platform/text/error-message.ts';
import {
  grantsClientTool,
  namesClientServer,
  removesClientTool,
  requireAllowedCommand,
} from '../../tools/scope/client-tool-entries.ts';
import { parseGroups } from '../../tools/scope/tool-groups.ts';
import type { SessionServer } from '../../tools/upstream/session-server.ts';
import type { Launch } from '../../tools/upstream/upstream.ts';
import { validateArguments } from '../../tools/validate-arguments.ts';
import type { AgentDirectory } from '../agents/agent-directory.ts';
import type { Base } from '../base/open-base.ts';
import { type AgentScopes, ownerOf } from '../tools/scopes.ts';
import type { ToolCalls } from '../tools/tool-calls.ts';

/** An MCP server that a client offers for its session. */
export interface OfferedServer {
  name: string;
  launch: Launch;
}

/** Tools that clients bring for their sessions: those of an editor, and of its own MCP servers. */
export interface ClientTools {
  /**
   * Offers tools to the runs that a client starts (`CallContext.client`), until it is gone. Servers are started only
   * if the agent's list names them. Returns the problems of servers that could not be reached.
   */
  offer(
    tools: readonly Tool[],
    servers: readonly OfferedServer[],
    context: CallContext & { client: string; agent: string },
  ): Promise<string[]>;
  gone(client: string): void;
  /** Tool calls of runs, extended with the client's tools that the agent's list allows. */
  extend(calls: ToolCalls): ToolCalls;
  close(): Promise<void>;
}

export interface ClientToolsParts extends Pick<Base, 'home' | 'env' | 'log'> {
  directory: AgentDirectory;
  scopes: AgentScopes;
}

interface Offered {
  tools: readonly Tool[];
  servers: readonly SessionServer[];
}

interface ClientEntries {
  entries: readonly string[];
  /** Whether an entry with `!` takes a tool, or a server, away again. */
  isRemoved(tool: string): boolean;
}

const NO_ENTRIES: ClientEntries = { entries: [], isRemoved: () => false };

export function createClientTools({ home, env, log, directory, scopes }: ClientToolsParts): ClientTools {
  const processes = createProcesses(homeFiles(home).processes, env);
  const byClient = new Map<string, Offered>();
  const closing = new Set<Promise<unknown>>();

  /** Entries of an agent's list that refer to tools of its client; none while its workspace is not approved. */
  async function entriesOf(context: CallContext): Promise<ClientEntries> {
    if (context.agent === null) return NO_ENTRIES;
    const [{ agent }, view] = await Promise.all([
      directory.find(context.agent, context),
      directory.view(context.workspace),
    ]);
    const owner = ownerOf(agent, view);
    if (!view.grantsTools(owner)) return NO_ENTRIES;
    const { clientTools } = scopes.grantedTools(agent, view, await scopes.catalogueOf(view));
    const groups = parseGroups(view.toolGroups(owner));
    const isRemoved = (tool: string) =>
      agent.tools?.some((entry) => removesClientTool(entry, tool, groups)) ?? false;
    return { entries: clientTools, isRemoved };
  }

  async function toolsFor(context: CallContext): Promise<readonly Tool[]> {
    const offered = byClient.get(context.client ?? '');
    if (!offered) return [];
    const { entries, isRemoved } = await entriesOf(context);
    const all = [...offered.tools, ...offered.servers.flatMap(({ tools }) => tools)];
    return all.filter(
      ({ descriptor: { name } }) =>
        !isRemoved(name) && entries.some((entry) => grantsClientTool(entry, name)),
    );
  }

  async function withTools(
    listed: Promise<readonly ToolDescriptor[]>,
    context: CallContext,
  ): Promise<readonly ToolDescriptor[]> {
    const [own, brought] = await Promise.all([listed, toolsFor(context)]);
    const taken = new Set(own.map(({ name }) => name));
    return [...own, ...brought.flatMap(({ descriptor }) => (taken.has(descriptor.name) ? [] : descriptor))];
  }

  function gone(client: string): void {
    const { servers = [] } = byClient.get(client) ?? {};
    byClient.delete(client);
    for (const server of servers) {
      const closed = server
        .close()
        .catch((error: unknown) => log('a client server could not be closed', error));
      closing.add(closed);
      void closed.finally(() => closing.delete(closed));
    }
  }

  return {
    async offer(tools, servers, context) {
      const { entries, isRemoved } = await entriesOf(context);
      const wanted = servers.filter(
        ({ name }) => !isRemoved(`mcp__${name}`) && entries.some((entry) => namesClientServer(entry, name)),
      );
      const opened = await Promise.allSettled(
        wanted.map(async ({ name, launch }) => {
          // The MCP client is large, and most sessions bring no servers.
          const { openSessionServer } = await import('../../tools/upstream/session-server.ts');
          return openSessionServer(name, launch, processes);
        }),
      );
      gone(context.client);
      byClient.set(context.client, {
        tools,
        servers: opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])),
      });
      return opened.flatMap((each, index) =>
        each.status === 'rejected' ? [`MCP server '${wanted[index]?.name}' ${messageOf(each.reason)}`] : [],
      );
    },
    gone,
    extend: (calls) => ({
      shown: (context) => withTools(calls.shown(context), context),
      inScope: (context) => withTools(calls.inScope(context), context),
      async call(name, args, call) {
        const tool = (await toolsFor(call.context)).find(({ descriptor }) => descriptor.name === name);
        if (!tool || (await calls.inScope(call.context)).some((own) => own.name === name))
          return calls.call(name, args, call);
        requireAllowedCommand(name, args, (await entriesOf(call.context)).entries);
        return tool.execute(await validateArguments(tool.descriptor, args), call);
      },
    }),
    async close() {
      for (const client of byClient.keys()) gone(client);
      await Promise.all(closing);
    },
  };
}
