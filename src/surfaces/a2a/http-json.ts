import {
  A2A_CONTENT_TYPE,
  AgentCard,
  ListTasksRequest,
  ListTasksResponse,
  SendMessageRequest,
  SendMessageResponse,
  ListTaskPushNotificationConfigsResponse,
  StreamResponse,
  Task,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import {
  A2AError,
  RequestMalformedError,
  restStatusFor,
  toRestErrorBody,
  VersionNotSupportedError,
} from '@a2a-js/sdk/errors';
import { ServerCallContext } from '@a2a-js/sdk/server';
import { PROTOCOL_VERSIONS } from './agent-card.ts';
import { hideUnexpected } from './errors.ts';
import type { TransportOptions } from './json-rpc.ts';
import { jsonReply, streamReply } from './reply.ts';

export interface HttpJsonRequest {
  method: string;
  /** The path below the interface's URL, such as `/message:send`. */
  path: string;
  query: URLSearchParams;
  body: unknown;
}

/** The HTTP+JSON binding: the same methods as REST resources. */
export async function answerHttpJson(request: HttpJsonRequest, options: TransportOptions): Promise<Response> {
  const { version, log } = options;
  try {
    if (version !== PROTOCOL_VERSIONS[0])
      throw new VersionNotSupportedError(
        `Version ${version} is not supported over HTTP+JSON. Send A2A-Version: 1.0.`,
      );
    return await route(request, options);
  } catch (error) {
    return failed(hideUnexpected(error, log));
  }
}

export const malformedBody = (message: string): Response => failed(new RequestMalformedError(message));

function failed(error: unknown): Response {
  const status = error instanceof NotFound ? 404 : restStatusFor(error);
  return jsonReply(toRestErrorBody(error, status), status, A2A_CONTENT_TYPE);
}

class NotFound extends A2AError {}

async function route(
  { method, path, query, body }: HttpJsonRequest,
  options: TransportOptions,
): Promise<Response> {
  const { handler, stop } = options;
  const context = new ServerCallContext({ requestedVersion: options.version });
  const given = typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : {};
  const [, encoded = '', action = ''] = /^\/tasks\/([^/:]+)(:\w+|\/.*)?$/.exec(path) ?? [];
  const id = decode(encoded);
  const task = async (answer: Promise<Task>) => reply(Task.toJSON(await answer));
  const historyLength = numberIn(query, 'historyLength');
  const stream = (items: ReturnType<typeof handler.resubscribe>) =>
    streamReply({ items, render: StreamResponse.toJSON, renderError: errorBody(options), stop });

  switch (`${method} ${id === '' ? path : `/tasks/{id}${action}`}`) {
    case 'POST /message:send': {
      const sent = await handler.sendMessage(SendMessageRequest.fromJSON(given), context);
      const payload =
        'messageId' in sent
          ? ({ $case: 'message', value: sent } as const)
          : ({ $case: 'task', value: sent } as const);
      return reply(SendMessageResponse.toJSON({ payload }));
    }
    case 'POST /message:stream':
      return stream(handler.sendMessageStream(SendMessageRequest.fromJSON(given), context));
    case 'GET /tasks':
      return reply(ListTasksResponse.toJSON(await handler.listTasks(listRequest(query), context)));
    case 'GET /tasks/{id}':
      return task(handler.getTask({ id, tenant: '', historyLength }, context));
    case 'POST /tasks/{id}:cancel':
      return task(handler.cancelTask({ id, tenant: '', metadata: undefined }, context));
    case 'GET /tasks/{id}:subscribe':
    case 'POST /tasks/{id}:subscribe':
      return stream(handler.resubscribe({ id, tenant: '' }, context));
    case 'GET /extendedAgentCard':
      return reply(
        AgentCard.toJSON(await handler.getAuthenticatedExtendedAgentCard({ tenant: '' }, context)),
      );
    default:
      if (action.startsWith('/pushNotificationConfigs'))
        return routePushConfigs(
          { method, id, config: decode(action.split('/')[2] ?? ''), given },
          options,
          context,
        );
      throw new NotFound(`No route for ${method} ${path}.`);
  }
}

interface PushRoute {
  method: string;
  id: string;
  config: string;
  given: object;
}

async function routePushConfigs(
  { method, id: taskId, config: id, given }: PushRoute,
  { handler }: TransportOptions,
  context: ServerCallContext,
): Promise<Response> {
  const named = { taskId, id, tenant: '' };
  switch (`${method} ${id === '' ? 'all' : 'one'}`) {
    case 'POST all': {
      const config = TaskPushNotificationConfig.fromJSON({ ...given, taskId });
      const created = await handler.createTaskPushNotificationConfig(config, context);
      return jsonReply(TaskPushNotificationConfig.toJSON(created), 201, A2A_CONTENT_TYPE);
    }
    case 'GET all': {
      const all = { taskId, tenant: '', pageSize: 0, pageToken: '' };
      const list = await handler.listTaskPushNotificationConfigs(all, context);
      return reply(ListTaskPushNotificationConfigsResponse.toJSON(list));
    }
    case 'GET one':
      return reply(
        TaskPushNotificationConfig.toJSON(await handler.getTaskPushNotificationConfig(named, context)),
      );
    case 'DELETE one':
      await handler.deleteTaskPushNotificationConfig(named, context);
      return new Response(null, { status: 204 });
    default:
      throw new NotFound(`No route for ${method} of push notification configs.`);
  }
}

const reply = (body: unknown): Response => jsonReply(body, 200, A2A_CONTENT_TYPE);

const errorBody =
  ({ log }: TransportOptions) =>
  (error: unknown) => {
    const shown = hideUnexpected(error, log);
    return toRestErrorBody(shown, restStatusFor(shown));
  };

function listRequest(query: URLSearchParams): ListTasksRequest {
  const request = ListTasksRequest.fromJSON({
    ...Object.fromEntries(query),
    includeArtifacts: query.get('includeArtifacts') === 'true',
  });
  return {
    ...request,
    pageSize: numberIn(query, 'pageSize'),
    historyLength: numberIn(query, 'historyLength'),
  };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new RequestMalformedError(`Invalid encoding in "${segment}".`);
  }
}

function numberIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new RequestMalformedError(`${name} must be a whole number`);
}
