import { basename } from 'node:path';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { createCallFunctions } from './call-functions.ts';
import { Fault, Halt } from './halt.ts';
import { type LuaFailure, failureOf } from './lua-failure.ts';
import { type LuaAnswer, type LuaJob, type LuaMessage, isThreadData } from './lua-messages.ts';
import { createLuaProgram } from './lua-program.ts';
import type { HostValue } from './host-value.ts';
import { localFunctions } from './local-functions.ts';
import { type ScriptFolder, openScriptFolder } from './script-folder.ts';

const port = parentPort;
if (!port) throw new Error('lua-worker runs in a worker thread');
if (!isThreadData(workerData)) throw new Error('lua-worker was started without its data');
const answered = new Int32Array(workerData.answered);

/** An engine above this size is replaced, because it never releases memory. */
const keptBytes = 48 * 1024 * 1024;

const send = (message: LuaMessage) => port.postMessage(message);

/** Asks the hub and blocks the thread, so that scripts can call host functions anywhere. */
function wait(message: LuaMessage): HostValue {
  Atomics.store(answered, 0, 0);
  send(message);
  // A late wake-up of the previous answer is possible, so check the value, not the wake-up.
  while (Atomics.load(answered, 0) === 0) Atomics.wait(answered, 0, 0);
  const received: { message: LuaAnswer } | undefined = port ? receiveMessageOnPort(port) : undefined;
  if (!received) throw new Halt('engine', 'the hub did not answer');
  if ('error' in received.message) throw new Fault(received.message.error);
  return received.message.value;
}

const { functions, begin, lookedAround } = createCallFunctions({
  send,
  ask: (name, args) => wait({ type: 'ask', name, args }),
  catchUp: () => void wait({ type: 'catch-up' }),
});
const createProgram = () => createLuaProgram({ ...localFunctions, ...functions });
let program = createProgram();

function run(job: LuaJob): LuaMessage {
  const { kind, path, limits, call } = job;
  const folder = openScriptFolder(job);
  begin(job, folder);
  const result = program.run({
    kind,
    source: folder.readScript(),
    file: folder.name,
    memoryBytes: limits.memoryBytes,
    outputBytes: limits.outputBytes,
    call,
  });
  if (!result.ok) return { type: 'failed', failure: placed(result.failure, path, folder) };
  const text = JSON.stringify(result.value);
  if (text.length > limits.outputBytes) {
    const halt = new Halt('output', `its result exceeds the limit of ${limits.outputBytes} bytes`);
    return { type: 'failed', failure: placed(failureOf(halt, folder.name, []), path, folder) };
  }
  return {
    type: 'done',
    result: text,
    functions: result.functions,
    files: folder.files(),
    lasting: !lookedAround(),
  };
}

/** With the real path of the file. Made-up chunk names are attributed to the script. */
function placed(failure: LuaFailure, script: string, folder: ScriptFolder): LuaFailure {
  const file = folder.pathOf(failure.file);
  return file === null ? { ...failure, file: script, line: null } : { ...failure, file };
}

port.on('message', (job: LuaJob) => {
  let message: LuaMessage;
  try {
    message = run(job);
  } catch (error) {
    const said =
      error instanceof Fault
        ? error.message
        : error instanceof Halt
          ? error
          : new Halt('engine', String(error));
    message = { type: 'failed', failure: { ...failureOf(said, basename(job.path), []), file: job.path } };
  }
  send(message);
  if (program.heldBytes() > keptBytes) program = createProgram();
});
send({ type: 'ready' });
