import { type ChildProcess, fork } from 'node:child_process';
import { inheritedEnv } from '../../platform/processes/inherited-env.ts';
import { workerFile } from '../../platform/processes/worker-file.ts';
import { SourceError } from '../source-error.ts';
import type { ConvertDocument, ConvertedDocument } from './converted-document.ts';
import { CONVERT_LIMITS, type ConvertRequest, type ConvertResponse } from './convert-messages.ts';

export interface Converter {
  convert: ConvertDocument;
  /** Ends the process; the next document starts a new one. */
  close(): void;
}

type Outcome = { response: ConvertResponse } | { signal: NodeJS.Signals | null };

/** Converts documents in a child process with limits on memory and time, which starts with the first document. */
export function createConverter(): Converter {
  let child: ChildProcess | null = null;
  let served = 0;

  function close(): void {
    child?.kill('SIGKILL');
    child = null;
    served = 0;
  }

  async function ask(request: ConvertRequest, signal: AbortSignal): Promise<Outcome> {
    const own = (child ??= startChild());
    const outcome = await exchange(own, request, signal);
    if ('signal' in outcome) {
      if (child === own) close();
      return outcome;
    }
    served++;
    if (child === own && outcome.response.rss > CONVERT_LIMITS.keptRssBytes) close();
    return outcome;
  }

  return {
    async convert(kind, content, signal) {
      const request = { kind, content };
      const isFresh = served === 0;
      let outcome = await ask(request, signal);
      // Memory that earlier documents left behind counts as well.
      if ('signal' in outcome && !isFresh && !signal.aborted) outcome = await ask(request, signal);
      signal.throwIfAborted();
      return documentIn(outcome);
    },
    close,
  };
}

function startChild(): ChildProcess {
  const child = fork(workerFile('convert-worker'), [], {
    execArgv: [`--max-old-space-size=${CONVERT_LIMITS.heapMegabytes}`],
    env: inheritedEnv(process.env),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // The child itself does not keep this process alive; waiting for a document does.
  child.unref();
  child.channel?.unref();
  return child;
}

/** Resolves to a response, or to the signal with which the child ended. */
function exchange(child: ChildProcess, request: ConvertRequest, signal: AbortSignal): Promise<Outcome> {
  return new Promise((resolve) => {
    const settle = (outcome: Outcome): void => {
      child.off('message', onMessage);
      child.off('exit', onExit);
      child.off('error', onError);
      signal.removeEventListener('abort', onAbort);
      child.unref();
      child.channel?.unref();
      resolve(outcome);
    };
    const onMessage = (response: unknown) => isResponse(response) && settle({ response });
    const onExit = (_code: number | null, by: NodeJS.Signals | null) => settle({ signal: by });
    const onError = () => settle({ signal: null });
    const onAbort = () => child.kill('SIGKILL');
    child.on('message', onMessage);
    child.on('exit', onExit);
    child.on('error', onError);
    signal.addEventListener('abort', onAbort, { once: true });
    child.ref();
    child.channel?.ref();
    child.send(request, (error) => error && onError());
  });
}

const isResponse = (value: unknown): value is ConvertResponse =>
  typeof value === 'object' && value !== null && ('document' in value || 'error' in value);

function documentIn(outcome: Outcome): ConvertedDocument {
  if ('signal' in outcome) {
    const { rssBytes, timeoutMs } = CONVERT_LIMITS;
    throw new SourceError(
      outcome.signal === 'SIGTERM'
        ? `takes longer than ${timeoutMs / 1000} seconds to read`
        : `needs more than ${rssBytes / (1024 * 1024)} MiB of memory to read`,
    );
  }
  if ('error' in outcome.response) throw new Error(outcome.response.error);
  return outcome.response.document;
}
