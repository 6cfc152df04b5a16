import { type Client, isInputRequiredResult } from '@modelcontextprotocol/client';
import * as z from 'zod';
import { ZooError } from '../../../contract/errors.ts';
import type { ClientQuestion } from '../../../contract/tool.ts';
import type { DirectCalls } from './direct-calls.ts';
import type { Listener, Request } from './link.ts';

const MAX_ROUNDS = 20;
/** Our own deadline counts instead: the SDK's would also run while a person is asked. */
const NO_TIMEOUT = 2_147_483_647;

const Question = z.looseObject({
  method: z.enum(['elicitation/create', 'sampling/createMessage', 'roots/list']),
  params: z.record(z.string(), z.unknown()).optional(),
});

/** Sends a request, and answers the questions of a server of the newest revision until it has a result. */
export async function sendRequest(
  client: Client,
  direct: DirectCalls | null,
  request: Request,
  listener: Listener,
  progressToken: string,
): Promise<Record<string, unknown>> {
  const _meta = { progressToken };
  let given: Record<string, unknown> = { _meta };
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const result: Record<string, unknown> = await send(client, direct, request, given, listener);
    if (!isInputRequiredResult(result)) return result;
    const questions = Object.fromEntries(
      Object.entries(result.inputRequests ?? {}).map(([name, asked]) => [name, toQuestion(asked)]),
    );
    given = {
      _meta,
      inputResponses: await listener.ask(questions),
      ...(result.requestState !== undefined && { requestState: result.requestState }),
    };
  }
  throw new ZooError('tool_error', `Gave up after ${MAX_ROUNDS} rounds of questions.`);
}

function send(
  client: Client,
  direct: DirectCalls | null,
  request: Request,
  given: Record<string, unknown>,
  listener: Listener,
): Promise<Record<string, unknown>> {
  const options = { signal: listener.signal, timeout: NO_TIMEOUT, allowInputRequired: true };
  if (request.method === 'resources/read') {
    return client.readResource({ uri: request.uri, ...given }, { ...options, cacheMode: 'bypass' });
  }
  if (request.method === 'prompts/get') {
    return client.getPrompt({ name: request.name, arguments: { ...request.args }, ...given }, options);
  }
  const params = { name: request.name, arguments: request.args, ...given };
  if (direct) return direct.call(params, listener.signal);
  // Without an output schema, so that the result is not validated here: it passes through unchanged.
  const toolDefinition = {
    name: request.name,
    inputSchema: { ...request.inputSchema, type: 'object' as const },
  };
  return client.callTool(params, { ...options, toolDefinition });
}

function toQuestion(asked: unknown): ClientQuestion {
  const { method, params = {} } = Question.parse(asked);
  return { method, params };
}
