import { Fault, Halt } from './halt.ts';
import type { HostArguments, HostFunction } from './host-function.ts';
import type { LuaJob, LuaMessage } from './lua-messages.ts';
import type { HostValue } from './host-value.ts';
import type { ScriptFolder } from './script-folder.ts';

export interface Line {
  send(message: LuaMessage): void;
  /** Waits for the result. Throws a `Fault` if the hub rejects the call. */
  ask(name: string, args: HostValue[]): HostValue;
  /** Waits until the hub has received everything. */
  catchUp(): void;
}

export interface CallFunctions {
  functions: Record<string, HostFunction>;
  begin(job: LuaJob, folder: ScriptFolder): void;
  /** Whether the description depends on more than the files that were read. */
  lookedAround(): boolean;
}

const levels = ['debug', 'info', 'warn', 'error'] as const;
/** Cost of a line besides its text: each is a message to the hub's thread. */
const lineBytes = 256;
const linesAhead = 50;

/** Functions that depend on the call: its folder, variables, log, and host calls. */
export function createCallFunctions({ send, ask, catchUp }: Line): CallFunctions {
  let current: { job: LuaJob; folder: ScriptFolder; startedAt: number } | null = null;
  let hostCalls = 0;
  let logged = 0;
  let lines = 0;
  let lookedAround = false;
  const pause = new Int32Array(new SharedArrayBuffer(4));

  function call() {
    if (!current) throw new Halt('engine', 'a host function was called outside of a call');
    return current;
  }

  function count() {
    const { limits } = call().job;
    if (++hostCalls > limits.hostCalls)
      throw new Halt('host-calls', `it exceeded the limit of ${limits.hostCalls} host calls`);
  }

  const remote =
    (name: string, read: (args: HostArguments) => HostValue[]): HostFunction =>
    (args) => {
      if (call().job.call === null)
        throw new Fault(`${name} is not available while a script loads: call it in one of its functions`);
      count();
      return ask(name, read(args));
    };

  const functions: Record<string, HostFunction> = {
    'context.search': remote('context.search', (args) => [args.json(1), args.json(2)]),
    'context.get': remote('context.get', (args) => [args.json(1)]),
    'context.sources': remote('context.sources', () => []),
    http: remote('http', (args) => [
      args.text(1),
      args.json(2),
      args.json(3),
      args.has(4) ? args.bytes(4) : null,
    ]),
    emit: remote('emit', (args) => {
      const item = args.json(1);
      const { outputBytes } = call().job.limits;
      if (JSON.stringify(item).length > outputBytes)
        throw new Halt('output', `it emitted an item that exceeds the limit of ${outputBytes} bytes`);
      return [item];
    }),
    'env.get': (args) => {
      const { env } = call().job;
      const name = args.text(1);
      return Object.hasOwn(env, name) ? env[name] : null;
    },
    'fs.read': (args) => {
      count();
      return call().folder.readFile(args.text(1));
    },
    'fs.list': (args) => {
      count();
      lookedAround = true;
      return call().folder.list(args.has(1) ? args.text(1) : '.');
    },
    module: (args) => call().folder.readModule(args.text(1)),
    sleep: (args) => {
      const seconds = args.number(1);
      if (!(seconds >= 0)) throw new Fault('sleep takes seconds, 0 or more');
      if (call().job.call === null) throw new Fault('sleep is not available while a script loads');
      Atomics.wait(pause, 0, 0, seconds * 1000);
      return null;
    },
    log: (args) => {
      const { startedAt, job } = call();
      const level = levels.find((level) => level === args.text(1)) ?? 'info';
      const message = args.looseText(2);
      logged += message.length + lineBytes;
      if (logged > job.limits.outputBytes)
        throw new Halt('output', `its log exceeds the limit of ${job.limits.outputBytes} bytes`);
      send({ type: 'log', log: { level, message, atMs: performance.now() - startedAt } });
      // Back-pressure for scripts that log faster than the hub reads.
      if (++lines % linesAhead === 0) catchUp();
      return null;
    },
  };

  return {
    functions,
    begin(job, folder) {
      current = { job, folder, startedAt: performance.now() };
      hostCalls = 0;
      logged = 0;
      lines = 0;
      lookedAround = false;
    },
    lookedAround: () => lookedAround,
  };
}
