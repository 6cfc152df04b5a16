import { type SendMessageRequest, type StreamResponse, type Task, TaskState } from '@a2a-js/sdk';
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';
import { textMessage } from '../../src/tools/a2a/text-message.ts';

export const BINDINGS = ['JSONRPC', 'HTTP+JSON'] as const;
export type Binding = (typeof BINDINGS)[number];

/** The SDK's own client, as another agent uses it: it reads the card, then calls. */
export async function connectA2A(
  url: string,
  agent: string,
  token: string,
  binding: Binding,
): Promise<Client> {
  const fetchImpl: typeof fetch = (input, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${token}`);
    return fetch(input, { ...init, headers });
  };
  const transport =
    binding === 'JSONRPC'
      ? new JsonRpcTransportFactory({ fetchImpl })
      : new RestTransportFactory({ fetchImpl });
  const factory = new ClientFactory({
    transports: [transport],
    cardResolver: new DefaultAgentCardResolver(),
  });
  return factory.createFromUrl(`${url}/a2a/${agent}/`);
}

export interface Said {
  contextId?: string;
  taskId?: string;
  returnImmediately?: boolean;
}

export function message(text: string, { returnImmediately = false, ...place }: Said = {}) {
  return {
    ...textMessage(text, place),
    configuration: { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately },
  } satisfies SendMessageRequest;
}

export async function send(client: Client, text: string, said: Said = {}): Promise<Task> {
  const answer = await client.sendMessage(message(text, said));
  if ('messageId' in answer) throw new Error('expected a task');
  return answer;
}

export const answerOf = ({ artifacts }: Task): string =>
  artifacts
    .flatMap(({ parts }) => parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')))
    .join('');

export const stateOf = ({ status }: Pick<Task, 'status'>): string => TaskState[status?.state ?? 0] ?? '';

/** A stream in short: `task WORKING`, `piece +…`, `status COMPLETED`. */
export function describeEvent({ payload }: StreamResponse): string {
  switch (payload?.$case) {
    case 'task':
      return `task ${stateOf(payload.value)}`;
    case 'statusUpdate':
      return `status ${stateOf(payload.value)}`;
    case 'artifactUpdate': {
      const { artifact, append, lastChunk } = payload.value;
      const [part] = artifact?.parts ?? [];
      const text = part?.content?.$case === 'text' ? part.content.value : '';
      return `${append ? 'append' : 'piece'} ${JSON.stringify(text)}${lastChunk ? ' last' : ''}`;
    }
    case 'message':
      return 'message';
    case undefined:
    default:
      return 'nothing';
  }
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
