import { isAbsolute } from 'node:path';
import type {
  ListSessionsRequest,
  ListSessionsResponse,
  LoadSessionRequest,
  LoadSessionResponse,
  McpServer,
  NewSessionRequest,
  NewSessionResponse,
  ResumeSessionRequest,
  ResumeSessionResponse,
} from '@agentclientprotocol/sdk';
import type { CallContext } from '../../contract/call.ts';
import type { Chat, ChatSummary } from '../../contract/chat.ts';
import { ZooError } from '../../contract/errors.ts';
import type { Hub, OfferedServer } from '../../hub/hub.ts';
import { invalidParams, sessionNotFound } from './errors.ts';
import { listSessions } from './list-sessions.ts';
import { type Editor, type EditorSession, openSession } from './session.ts';

/** Chats with a person. Those of other agents and of published tools cannot be continued in an editor. */
const SURFACES: ReadonlySet<string> = new Set(['acp', 'web', 'cli', 'http']);

/** The sessions of one editor. Each is a chat of the hub, and outlives the editor. */
export interface Sessions {
  create(params: NewSessionRequest): Promise<NewSessionResponse>;
  load(params: LoadSessionRequest): Promise<LoadSessionResponse>;
  resume(params: ResumeSessionRequest): Promise<ResumeSessionResponse>;
  list(params: ListSessionsRequest): Promise<ListSessionsResponse>;
  /** An open session. */
  find(id: string): Promise<EditorSession>;
  close(id: string): Promise<void>;
  remove(id: string): Promise<void>;
  closeAll(): void;
}

interface Opened {
  chat: Chat;
  session: EditorSession;
}

interface Place {
  cwd: string;
  mcpServers?: readonly McpServer[];
}

export function createSessions(hub: Hub, context: CallContext, editor: Editor): Sessions {
  const { operations } = hub;
  const open = new Map<string, Promise<Opened | null>>();
  const mayAsk = context.caller.kind === 'operator';
  const workspaceOf = (cwd: string): Promise<string> => findWorkspace(hub, context, cwd);

  /** Registered at once, so that a prompt that follows immediately waits for it. */
  function start(id: string, { cwd, mcpServers = [] }: Place, opening: Promise<Chat>): Promise<Opened> {
    // A failure is reported by the request that opened the session.
    const before = open.get(id)?.catch(() => null);
    const opened = opening.then(async (chat): Promise<Opened> => {
      const own = { ...context, workspace: chat.workspace, client: `${context.client} ${chat.id}` };
      (await before)?.session.close();
      // One that is opened after `closeAll` would never be closed.
      context.signal.throwIfAborted();
      const servers = mcpServers.map((server) => toServer(server, cwd));
      const options = { editor, context: own, cwd, servers, anyAgent: context.agent === null };
      return { chat, session: await openSession(hub, id, options) };
    });
    open.set(id, opened);
    opened.catch(() => {
      if (open.get(id) === opened) open.delete(id);
      if (before && !open.has(id)) open.set(id, before);
    });
    return opened;
  }

  /** The chat of a session that this caller may open. */
  async function chatOf(id: string): Promise<Chat> {
    const chat = await operations.getChat({ id }, context).catch((error: unknown) => {
      if (error instanceof ZooError && error.code === 'chat_not_found') throw sessionNotFound(id);
      throw error;
    });
    if (!isOpenable(chat)) throw sessionNotFound(id);
    return chat;
  }

  const isOpenable = ({ surface, agentId }: Pick<ChatSummary, 'surface' | 'agentId'>): boolean =>
    SURFACES.has(surface) && (context.agent ?? agentId) === agentId;

  const reopen = (id: string, place: Place): Promise<Opened> =>
    start(
      id,
      place,
      workspaceOf(place.cwd).then(() => chatOf(id)),
    );

  async function find(id: string): Promise<EditorSession> {
    const opened = await open.get(id);
    if (!opened) throw sessionNotFound(id);
    return opened.session;
  }

  return {
    async create({ cwd, mcpServers }) {
      const workspace = await workspaceOf(cwd);
      const here = { ...context, workspace };
      const agent = context.agent ?? (await defaultAgent(hub, here));
      const chat = await operations.createChat({ body: { agent, headless: !mayAsk } }, here);
      const { session } = await start(chat.id, { cwd, mcpServers }, Promise.resolve(chat));
      session.announce();
      return { sessionId: chat.id, ...(await session.settings()) };
    },
    async load({ sessionId, ...place }) {
      const { chat, session } = await reopen(sessionId, place);
      await session.replay(chat);
      session.announce();
      return session.settings();
    },
    async resume({ sessionId, ...place }) {
      const { session } = await reopen(sessionId, place);
      session.announce();
      return session.settings();
    },
    list: async ({ cwd, cursor }) =>
      listSessions(hub, { workspace: cwd ? await workspaceOf(cwd) : null, cursor, isOpenable }, context),
    find,
    async close(id) {
      const session = await find(id);
      open.delete(id);
      // Closing a session cancels its active turn.
      await session.cancel();
      session.close();
    },
    async remove(id) {
      await chatOf(id);
      const opened = await open.get(id);
      open.delete(id);
      opened?.session.close();
      await operations.deleteChat({ id }, context);
    },
    closeAll() {
      for (const opened of open.values())
        void opened.then((each) => each?.session.close()).catch(() => undefined);
      open.clear();
    },
  };
}

async function findWorkspace(hub: Hub, { caller, workspace }: CallContext, cwd: string): Promise<string> {
  if (!isAbsolute(cwd)) throw invalidParams(`cwd must be an absolute path, not ${JSON.stringify(cwd)}.`);
  // A token of an agent is bound to its workspace.
  return caller.kind === 'operator' ? hub.workspaceFor(cwd) : workspace;
}

/** The current agent of the workspace, or the first that may run. */
async function defaultAgent({ operations, mayRun }: Hub, context: CallContext): Promise<string> {
  const { agentId } = await operations.getCurrent({}, context);
  if (agentId !== null) return agentId;
  const { agents } = await operations.listAgents({}, context);
  for (const agent of agents) if (await mayRun(agent, context.workspace)) return agent.id;
  throw new ZooError(
    'agent_not_found',
    'No agent can run here. Create one (`zoo agent create`), or approve the workspace (`zoo trust`).',
  );
}

function toServer(server: McpServer, cwd: string): OfferedServer {
  if ('command' in server) {
    const env = Object.fromEntries(server.env.map(({ name, value }) => [name, value]));
    const { name, command, args } = server;
    return { name, launch: { kind: 'stdio', command, args, env, cwd, secrets: Object.values(env) } };
  }
  if (server.type !== 'http')
    throw invalidParams(`MCP server '${server.name}': SSE is not supported, use HTTP.`);
  const headers = Object.fromEntries(server.headers.map(({ name, value }) => [name, value]));
  const { name, url } = server;
  return { name, launch: { kind: 'http', url, headers, secrets: Object.values(headers) } };
}
