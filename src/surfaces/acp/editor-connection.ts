import { randomUUID } from 'node:crypto';
import * as acp from '@agentclientprotocol/sdk';
import type { CallContext } from '../../contract/call.ts';
import type { Hub } from '../../hub/hub.ts';
import { VERSION } from '../../platform/home/version.ts';
import { toRequestError } from './errors.ts';
import { promptParts } from './prompt-parts.ts';
import { type EditorStreams, readableFrom, writableTo } from './editor-streams.ts';
import { createSessions, type Sessions } from './sessions.ts';

/** Logging in means setting the key of a model provider; the connection itself has a token. */
const PROVIDER_LOGIN = {
  id: 'provider',
  name: 'Model provider',
  description:
    'Set the key of a provider, such as `zoo secret set ANTHROPIC_API_KEY`, then try again. `zoo providers` shows what is missing.',
};

const CAPABILITIES: acp.AgentCapabilities = {
  loadSession: true,
  promptCapabilities: { image: true, audio: false, embeddedContext: true },
  mcpCapabilities: { http: true, sse: false },
  sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
};

type Log = (message: string, error: unknown) => void;

/** Speaks ACP on the streams of one editor. */
export function connectEditor(
  hub: Hub,
  from: CallContext,
  { input, output }: EditorStreams,
  log: Log,
): acp.AgentConnection {
  let capabilities: acp.ClientCapabilities = {};
  const gone = new AbortController();
  const context: CallContext = { ...from, client: randomUUID(), signal: gone.signal };
  const editor = {
    get client(): acp.AgentContext {
      return connection.client;
    },
    get capabilities(): acp.ClientCapabilities {
      return capabilities;
    },
    log,
  };
  const sessions = createSessions(hub, context, editor);
  const app = acp.agent({ name: 'agent-zoo' }).onRequest('initialize', ({ params }) => {
    capabilities = params.clientCapabilities ?? {};
    if (params.clientInfo) context.clientName = params.clientInfo.name;
    return {
      protocolVersion: acp.PROTOCOL_VERSION,
      agentInfo: { name: 'agent-zoo', title: 'Agent Zoo', version: VERSION },
      agentCapabilities: CAPABILITIES,
      authMethods: [PROVIDER_LOGIN],
    };
  });
  addSessionMethods(app, hub, context, sessions, log);
  const connection = app.connect(acp.ndJsonStream(writableTo(output), readableFrom(input)));
  const end = (): void => {
    gone.abort();
    sessions.closeAll();
  };
  void connection.closed.then(end);
  return connection;
}

function addSessionMethods(
  app: acp.AgentApp,
  hub: Hub,
  context: CallContext,
  sessions: Sessions,
  log: Log,
): void {
  const answer =
    <P, R>(handle: (params: P, signal: AbortSignal) => Promise<R>) =>
    async ({ params, signal }: { params: P; signal: AbortSignal }): Promise<R> => {
      try {
        return await handle(params, signal);
      } catch (error) {
        throw toRequestError(error, (bug) => log('an ACP request failed', bug));
      }
    };
  app
    .onRequest(
      'authenticate',
      answer(async ({ methodId }) => {
        if (methodId !== PROVIDER_LOGIN.id) throw acp.RequestError.invalidParams({ methodId });
        const { defaultModel } = await hub.operations.listProviders({}, context);
        if (defaultModel === null) throw acp.RequestError.authRequired(undefined, PROVIDER_LOGIN.description);
        return {};
      }),
    )
    .onRequest('session/new', answer(sessions.create))
    .onRequest('session/load', answer(sessions.load))
    .onRequest('session/resume', answer(sessions.resume))
    .onRequest('session/list', answer(sessions.list))
    .onRequest(
      'session/close',
      answer(async ({ sessionId }) => {
        await sessions.close(sessionId);
        return {};
      }),
    )
    .onRequest(
      'session/delete',
      answer(async ({ sessionId }) => {
        await sessions.remove(sessionId);
        return {};
      }),
    )
    .onRequest(
      'session/set_mode',
      answer(async ({ sessionId, modeId }) => {
        await (await sessions.find(sessionId)).change('mode', modeId);
        return {};
      }),
    )
    .onRequest(
      'session/set_config_option',
      answer(async ({ sessionId, configId, value }) => {
        const { configOptions } = await (await sessions.find(sessionId)).change(configId, value);
        return { configOptions };
      }),
    )
    .onRequest(
      'session/prompt',
      answer(async ({ sessionId, prompt }, signal) => {
        const session = await sessions.find(sessionId);
        // It was cancelled while the session was being opened.
        if (signal.aborted) return { stopReason: 'cancelled' as const };
        const cancel = (): void => {
          // Cancelling the request ends the turn; a disconnected editor does not.
          setImmediate(() => {
            if (!context.signal.aborted) void session.cancel().catch(() => undefined);
          });
        };
        signal.addEventListener('abort', cancel, { once: true });
        try {
          return { stopReason: await session.prompt(promptParts(prompt)) };
        } finally {
          signal.removeEventListener('abort', cancel);
        }
      }),
    )
    .onNotification('session/cancel', async ({ params: { sessionId } }) => {
      const session = await sessions.find(sessionId).catch(() => null);
      await session?.cancel().catch((error: unknown) => log('a turn could not be cancelled', error));
    });
}
