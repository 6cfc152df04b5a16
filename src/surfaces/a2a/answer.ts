import { A2A_VERSION_HEADER, type AgentCard } from '@a2a-js/sdk';
import type { Agent } from '../../contract/agent.ts';
import type { CallContext } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import type { Hub } from '../../hub/hub.ts';
import type { Log } from '../../platform/home/log.ts';
import { messageOf } from '../../platform/text/error-message.ts';
import { cardJson, renderCard } from './agent-card.ts';
import { answerHttpJson, malformedBody } from './http-json.ts';
import { answerJsonRpc, malformedJson } from './json-rpc.ts';
import { readBody } from './read-body.ts';
import { jsonReply } from './reply.ts';
import type { PushSender } from './push-sender.ts';
import { createRequestHandler } from './request-handler.ts';

const PATH = /^\/a2a\/([^/]+)(\/v1)?(\/.*)?$/;

/** Answers a request that was admitted: its caller may use the agent that the path names. */
export async function answerA2A(
  hub: Hub,
  request: Request,
  context: CallContext,
  { push, log }: { push: PushSender; log: Pick<Log, 'error'> },
): Promise<Response> {
  const { pathname, searchParams, origin } = new URL(request.url);
  const [, name, isHttpJson, rest = ''] = PATH.exec(pathname) ?? [];
  const agent =
    name === undefined ? await defaultAgent(hub, context) : await findAgent(hub, decodeId(name), context);
  const { url: publicUrl, contextIdleMs, provider } = hub.a2aSettings();
  const url = `${(publicUrl ?? origin).replace(/\/$/, '')}/a2a/${encodeURIComponent(agent.id)}`;
  if (name === undefined || rest.startsWith('/.well-known/'))
    return cardReply(renderCard(agent, { url, provider }), request);

  const gone = new AbortController();
  const signal = AbortSignal.any([context.signal, gone.signal]);
  const transport = {
    handler: createRequestHandler(hub, {
      agent,
      context: { ...context, signal },
      url,
      provider,
      contextIdleMs,
      push,
    }),
    version: request.headers.get(A2A_VERSION_HEADER) || '0.3',
    stop: () => gone.abort(),
    log: (error: unknown) => log.error('an A2A request failed', { error, path: pathname }),
  };
  const isRpc = isHttpJson === undefined;
  if (isRpc && request.method !== 'POST') return methodNotAllowed();
  const body = await readBody(request);
  if (!body.ok) return isRpc ? malformedJson(body.why) : malformedBody(body.why);
  if (isRpc) return answerJsonRpc(body.value, transport);
  return answerHttpJson(
    { method: request.method, path: rest, query: searchParams, body: body.value },
    transport,
  );
}

const methodNotAllowed = (): Response => new Response(null, { status: 405, headers: { allow: 'POST' } });

/** A card changes with its agent, so clients have to revalidate it. */
function cardReply(card: AgentCard, { method }: Request): Response {
  if (method !== 'GET' && method !== 'HEAD')
    return new Response(null, { status: 405, headers: { allow: 'GET' } });
  const reply = jsonReply(cardJson(card));
  reply.headers.set('cache-control', 'no-cache');
  return reply;
}

/** Only autonomous agents that may run are visible, to any caller. */
async function findAgent(hub: Hub, id: string, context: CallContext): Promise<Agent> {
  const missing = new ZooError('agent_not_found', `No autonomous agent '${id}'.`, { id });
  try {
    const agent = await hub.operations.getAgent({ id }, { ...context, caller: { kind: 'operator' } });
    if (agent.mode === 'autonomous' && (await hub.mayRun(agent, context.workspace))) return agent;
  } catch (error) {
    if (!(error instanceof ZooError) || error.code !== 'agent_not_found')
      throw new Error(`agent '${id}' could not be read: ${messageOf(error)}`, { cause: error });
  }
  throw missing;
}

/** The agent of `[a2a] default`, or the only autonomous one. */
async function defaultAgent(hub: Hub, context: CallContext): Promise<Agent> {
  const { default: named } = hub.a2aSettings();
  if (named !== null) return findAgent(hub, named, context);
  const { agents } = await hub.operations.listAgents({}, { ...context, caller: { kind: 'operator' } });
  const autonomous = agents.filter(({ mode }) => mode === 'autonomous');
  const runnable = await Promise.all(autonomous.map((agent) => hub.mayRun(agent, context.workspace)));
  const [only, ...others] = autonomous.filter((_agent, index) => runnable[index]);
  if (only && others.length === 0) return findAgent(hub, only.id, context);
  const message = only
    ? 'Several agents are autonomous. Set [a2a] default to one of them.'
    : 'No agent is autonomous. Set the mode of one to "autonomous".';
  throw new ZooError('agent_not_found', message);
}

function decodeId(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new ZooError('agent_not_found', `No autonomous agent '${segment}': its encoding is invalid.`);
  }
}
