import { AsyncLocalStorage } from 'node:async_hooks';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import { ZooError } from '../../contract/errors.ts';
import { moduleFailure } from './module-failure.ts';
import { createModuleContext, type ModuleHost } from './module-context.ts';
import { createModuleLoader } from './module-loader.ts';
import { type FromModule, type HostFunction, isModuleThreadData, type ToModule } from './module-messages.ts';
import { describeModule, runModule } from './run-module.ts';
import type { ScriptLog } from '../sandbox.ts';

const port = parentPort;
if (!port) throw new Error('module-worker runs in a worker thread');
if (!isModuleThreadData(workerData)) throw new Error('module-worker was started without its module');
const { path, agentPackage, approved } = workerData;

const send = (message: FromModule): void => port.postMessage(message);
const loader = import.meta.resolve?.('jiti');
const ours = [dirname(import.meta.url), ...(loader ? [dirname(dirname(loader))] : [])].map((url) =>
  fileURLToPath(url),
);

/** The call that a log line belongs to. */
const calls = new AsyncLocalStorage<number>();
const log = (level: ScriptLog['level'], message: string): void =>
  send({ type: 'log', id: calls.getStore() ?? null, level, message });
for (const [method, level] of Object.entries({
  debug: 'debug',
  log: 'info',
  info: 'info',
  warn: 'warn',
  error: 'error',
} as const)) {
  Reflect.set(console, method, (...words: unknown[]) => log(level, format(...words)));
}

process.setSourceMapsEnabled(true);
const isOurs = (file: string): boolean =>
  ours.some((folder) => file.startsWith(folder)) || file === agentPackage;
const jiti = createModuleLoader({ path, agentPackage, approved, isOurs });
let loading: Promise<unknown> | undefined;
const load = (): Promise<unknown> =>
  (loading ??= jiti.import(path).catch((error: unknown) => {
    // Nothing has run yet, so a later call may load it.
    if (error instanceof ZooError) loading = undefined;
    throw error;
  }));

const aborts = new Map<number, AbortController>();
// A method, for bivariant result types: the hub's schemas guarantee them.
const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
let sequence = 0;

function ask<T>(id: number, name: HostFunction, argument: unknown): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const call = (sequence += 1);
    waiting.set(call, { resolve, reject });
    send({ type: 'host', id, call, name, argument });
  });
}

const hostOf = (id: number): ModuleHost => ({
  search: (query) => ask(id, 'search', query),
  get: (document) => ask(id, 'get', document),
  sources: () => ask(id, 'sources', null),
});

async function run(request: Extract<ToModule, { type: 'describe' | 'resolve' }>): Promise<void> {
  const { id } = request;
  const abort = new AbortController();
  aborts.set(id, abort);
  try {
    const exported = await load();
    send({ type: 'started', id });
    const value =
      request.type === 'describe'
        ? describeModule(exported)
        : await runModule(
            exported,
            isArgs(request.args) ? request.args : {},
            createModuleContext(hostOf(id), { config: request.config, signal: abort.signal, log }),
          );
    send({ type: 'done', id, value, files: Object.keys(jiti.cache).filter(isAuthors) });
  } catch (error) {
    send({ type: 'failed', id, failure: moduleFailure(error, path, ours) });
  } finally {
    aborts.delete(id);
  }
}

const isArgs = (args: unknown): args is Record<string, unknown> => typeof args === 'object' && args !== null;

const isAuthors = (file: string): boolean => !/[\\/]node_modules[\\/]/.test(file) && !isOurs(file);

port.on('message', (message: ToModule) => {
  switch (message.type) {
    case 'describe':
    case 'resolve':
      calls.run(message.id, () => void run(message));
      break;
    case 'abort':
      aborts.get(message.id)?.abort();
      break;
    case 'answer':
      waiting.get(message.call)?.resolve(message.value);
      waiting.delete(message.call);
      break;
    case 'refuse':
      waiting.get(message.call)?.reject(new Error(message.message));
      waiting.delete(message.call);
      break;
    case 'ping':
      send({ type: 'pong' });
      break;
  }
});
