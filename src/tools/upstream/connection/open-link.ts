import {
  type Client,
  type OAuthClientProvider,
  SdkError,
  SdkErrorCode,
  type Transport,
} from '@modelcontextprotocol/client';
import { ZooError } from '../../../contract/errors.ts';
import { ProcessEnded, type Processes } from '../../../platform/processes/processes.ts';
import { messageOf } from '../../../platform/text/error-message.ts';
import { describeError, describeExit, statusIn } from '../diagnosis.ts';
import type { Launch } from '../upstream.ts';
import { createDirectCalls } from './direct-calls.ts';
import { connectHttp } from './http-link.ts';
import { keepListening } from './keep-listening.ts';
import type { Era, Link, LinkEnd, LinkEvents, ServerLists } from './link.ts';
import { createResourceUpdates } from './resource-updates.ts';
import { sendRequest } from './send-request.ts';
import { createServerClient, type ServerClient, type ServerClientOptions } from './server-client.ts';
import { createStdioTransport, type StdioTransport } from './stdio-transport.ts';

export interface OpenOptions extends LinkEvents, Omit<ServerClientOptions, 'onListsChanged'> {
  processes: Pick<Processes, 'start'>;
  /** The revision it spoke at the last connection; null to find out. */
  era: Era | null;
  signal: AbortSignal;
  auth: OAuthClientProvider | null;
}

/** Starts or reaches a server and does the handshake. Throws a `ZooError` that continues after the server's name. */
export async function openLink(launch: Launch, options: OpenOptions): Promise<Link> {
  if (launch.kind === 'http') {
    return connectHttp(launch, { auth: options.auth, era: options.era }, (transport, era) =>
      shake(launch, options, transport, era),
    );
  }
  const attempt = (era: Era | null): Promise<Link> =>
    shake(launch, options, createStdioTransport(launch, options.processes), era);
  try {
    return await attempt(options.era);
  } catch (error) {
    // Some legacy servers exit on any request before the handshake, so they get the handshake at once.
    if (options.era !== null || !(error instanceof ProbeEnded)) throw failure(error);
    return attempt('legacy').catch((again: unknown) => Promise.reject(failure(again)));
  }
}

/** How long to wait for a process to exit after it has closed its input. */
const EXIT_MS = 500;

/** The process exited while it was asked which revision it speaks. */
class ProbeEnded extends Error {}

const failure = (error: unknown): ZooError =>
  error instanceof ZooError ? error : new ZooError('tool_error', messageOf(error));

const isProcess = (transport: Transport): transport is StdioTransport => 'said' in transport;

/** Why a connection ended, if it belongs to a process that has exited. */
function exitOf(transport: Transport, launch: Launch): { why: string; started: boolean } | null {
  const exit = isProcess(transport) ? transport.exit() : null;
  if (!exit || !isProcess(transport)) return null;
  return { why: describeExit(exit, transport.said(), launch), started: exit.error === null };
}

async function shake(
  launch: Launch,
  options: OpenOptions,
  transport: Transport,
  era: Era | null,
): Promise<Link> {
  const server = createServerClient(options);
  const { client } = server;
  const end = followEnd(client, () => exitOf(transport, launch)?.why ?? 'the connection was closed.');
  try {
    await connect(client, transport, era, options);
  } catch (error) {
    // Its input is closed a moment before its exit is known.
    if (error instanceof ProcessEnded && isProcess(transport)) await transport.exited(EXIT_MS);
    const exit = exitOf(transport, launch);
    await end.close();
    await transport.close().catch(() => undefined);
    if (!exit) throw describeConnect(error, launch, transport, options.timeoutMs);
    throw era === null && exit.started ? new ProbeEnded(exit.why) : new ZooError('tool_error', exit.why);
  }
  return toLink(server, isProcess(transport) ? transport : null, end, options);
}

interface End {
  closed: Promise<LinkEnd>;
  over: AbortSignal;
  /** Closes it on purpose. */
  close(): Promise<void>;
}

function followEnd(client: Client, why: () => string): End {
  const over = new AbortController();
  let onPurpose = false;
  let resolveEnd: (end: LinkEnd) => void = () => undefined;
  const closed = new Promise<LinkEnd>((resolve) => {
    resolveEnd = resolve;
  });
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a client of the SDK is not an event target
  client.onclose = () => {
    over.abort();
    resolveEnd({ why: onPurpose ? null : why() });
  };
  return {
    closed,
    over: over.signal,
    async close() {
      onPurpose = true;
      over.abort();
      await client.close().catch(() => undefined);
      resolveEnd({ why: null });
    },
  };
}

function toLink(server: ServerClient, process: StdioTransport | null, end: End, options: OpenOptions): Link {
  const { client, attribution, withProgress } = server;
  const era: Era = client.getProtocolEra() ?? 'legacy';
  const info = client.getServerVersion();
  const version = client.getNegotiatedProtocolVersion() ?? '';
  const direct = process && createDirectCalls(process, { era, version, closed: end.closed });
  const updates = createResourceUpdates(client, era, {
    onUpdated: (uri) => options.onResourceUpdated(uri),
    timeout: options.timeoutMs,
    closed: end.over,
  });
  if (era === 'modern') listenForLists(client, end.over, () => options.onListsChanged());
  return {
    era,
    title: info?.title ?? info?.name ?? null,
    pid: process?.pid ?? null,
    said: () => process?.said() ?? '',
    lists: (signal) => loadLists(client, signal, options.timeoutMs),
    request(request, listener) {
      const send = (): Promise<Record<string, unknown>> => {
        listener.begun();
        return withProgress(listener, (token) => sendRequest(client, direct, request, listener, token));
      };
      return era === 'legacy' ? attribution.run(listener, send) : send();
    },
    async complete({ ref, argument, given }, signal) {
      const context = given && { context: { arguments: { ...given } } };
      const { completion } = await client.complete({ ref, argument, ...context }, { signal });
      return completion.values;
    },
    watch: (uris) => updates.watch(uris),
    closed: end.closed,
    close: () => end.close(),
  };
}

/** Keeps the stream of list changes open: the SDK opens it once and never reopens it. */
function listenForLists(client: Client, signal: AbortSignal, onChanged: () => void): void {
  const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
  const filter = {
    ...(tools?.listChanged && { toolsListChanged: true }),
    ...(prompts?.listChanged && { promptsListChanged: true }),
    ...(resources?.listChanged && { resourcesListChanged: true }),
  };
  if (Object.keys(filter).length === 0) return;
  void keepListening({ client, filter, first: client.autoOpenedSubscription, onAgain: onChanged, signal });
}

/** Everything a server offers; lists that it does not have are empty. Fails if one of them cannot be read. */
async function loadLists(client: Client, signal: AbortSignal, timeout: number): Promise<ServerLists> {
  const options = { signal, timeout, cacheMode: 'bypass' } as const;
  const has = client.getServerCapabilities() ?? {};
  const [tools, prompts, resources, templates] = await Promise.all([
    has.tools ? client.listTools(undefined, options).then((list) => list.tools) : [],
    has.prompts ? client.listPrompts(undefined, options).then((list) => list.prompts) : [],
    has.resources ? client.listResources(undefined, options).then((list) => list.resources) : [],
    has.resources
      ? client.listResourceTemplates(undefined, options).then(
          (list) => list.resourceTemplates,
          // Many servers with resources do not implement templates.
          () => [],
        )
      : [],
  ]);
  return { tools, prompts, resources, templates };
}

/** Connects within the time limit. The SDK's own limit does not include the start of the process. */
async function connect(
  client: Client,
  transport: Transport,
  era: Era | null,
  { timeoutMs, signal }: OpenOptions,
): Promise<void> {
  const cancelled = new ZooError('tool_error', 'was cancelled.');
  if (signal.aborted) throw cancelled;
  let giveUp: (error: Error) => void = () => undefined;
  const over = new Promise<never>((_resolve, reject) => {
    giveUp = reject;
  });
  const timer = setTimeout(() => giveUp(new StartTimeout()), timeoutMs);
  const stop = (): void => giveUp(cancelled);
  signal.addEventListener('abort', stop, { once: true });
  const prior = era === 'legacy' ? { prior: { kind: 'legacy' as const } } : {};
  try {
    await Promise.race([client.connect(transport, { timeout: timeoutMs, ...prior }), over]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

class StartTimeout extends Error {}

function describeConnect(error: unknown, launch: Launch, transport: Transport, timeoutMs: number): Error {
  if (error instanceof ZooError) return error;
  const slow =
    error instanceof StartTimeout ||
    (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout);
  if (!slow) return new ZooError('tool_error', describeError(error, launch), { status: statusIn(error) });
  const said = isProcess(transport) ? transport.said() : '';
  const where = launch.kind === 'http' ? 'did not answer' : 'was started, but did not answer';
  return new ZooError('timeout', `${where} within ${timeoutMs / 1000} s.${said ? ` It said:\n${said}` : ''}`);
}
