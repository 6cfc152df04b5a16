import { basename } from 'node:path';
import { ZooError } from '../contract/errors.ts';
import { hashFile, hashValue } from '../platform/trust/content-hash.ts';
import { redactText } from '../platform/text/redact.ts';
import { createHostAnswers } from './host/host-answers.ts';
import { isJsonTable } from './json.ts';
import { parseJson } from './lua/json-text.ts';
import type { LuaJob } from './lua/lua-messages.ts';
import { createLuaPool, type LuaPool } from './lua/lua-pool.ts';
import type { LuaOutcome } from './lua/lua-thread.ts';
import { createSecretMask } from '../platform/text/secret-mask.ts';
import type {
  Sandbox,
  ScriptCall,
  ScriptDescription,
  ScriptFile,
  ScriptLog,
  ScriptResult,
} from './sandbox.ts';

export interface SandboxOptions {
  /** How many scripts run at once; a few more while some of them wait. */
  threads?: number;
  idleMs?: number;
}

const MiB = 1024 * 1024;
const describeLimits = { timeoutMs: 1_000, memoryBytes: 16 * MiB, outputBytes: MiB, hostCalls: 100 };
const keptDescriptions = 1_000;
/** Node's maximum timer delay; longer timers fire immediately. */
const longestTimer = 2 ** 31 - 1;
/** Shorter values occur in any text. */
const shortestSecret = 4;

interface Kept {
  /** The grants it was described with. */
  given: string;
  /** The files it was read from, with content hashes. */
  files: Readonly<Record<string, string>>;
  description: ScriptDescription;
}

export function createSandbox({ threads = 4, idleMs = 300_000 }: SandboxOptions = {}): Sandbox {
  const pool = createLuaPool({ size: threads, most: threads * 4, patienceMs: 250, idleMs });
  const descriptions = new Map<string, Kept>();

  return {
    async describe(script) {
      const key = `${script.kind} ${script.path}`;
      const kept = descriptions.get(key);
      if (kept && (await isCurrent(script, kept))) return kept.description;
      const { result, functions, files, lasting } = await run(pool, script, jobOf(script, null), {
        host: nothing,
        signal: new AbortController().signal,
      });
      const table = parseJson(result);
      const description = {
        table: isJsonTable(table) ? table : {},
        functions,
        files: Object.keys(files),
        lasting,
      };
      descriptions.delete(key);
      if (lasting) {
        if (descriptions.size >= keptDescriptions) descriptions.clear();
        descriptions.set(key, { given: givenTo(script), files, description });
      }
      return description;
    },
    async call(script, call) {
      const { function: name, args, config = {} } = call;
      const { result, logs, hostCalls, tookMs } = await run(
        pool,
        script,
        jobOf(script, { function: name, args, config }),
        call,
      );
      return { value: parseJson(result), logs, hostCalls, tookMs };
    },
    close: () => pool.close(),
  };
}

/** Runs a job in a thread of the pool, and ends that thread if it takes too long. */
async function run(
  pool: LuaPool,
  script: ScriptFile,
  job: LuaJob,
  call: Pick<ScriptCall, 'host' | 'signal' | 'onLog'>,
): Promise<Extract<LuaOutcome, { type: 'done' }> & Omit<ScriptResult, 'value'>> {
  const hide = maskOf(script);
  const logs: ScriptLog[] = [];
  const { signal } = call;
  return pool.use(async (thread) => {
    const stop = () => void thread.end();
    signal.addEventListener('abort', stop);
    await thread.ready;
    const startedAt = performance.now();
    const over = new AbortController();
    let timedOut = false;
    const timer = setTimeout(
      () => {
        timedOut = true;
        stop();
      },
      Math.min(job.limits.timeoutMs, longestTimer),
    );
    const { answer, hostCalls } = createHostAnswers(script, call.host, over.signal);
    try {
      const outcome = await thread.run(job, {
        answer,
        log(log) {
          const masked = { ...log, message: hide(log.message) };
          logs.push(masked);
          call.onLog?.(masked);
        },
      });
      if (outcome.type === 'done')
        return { ...outcome, logs, hostCalls, tookMs: performance.now() - startedAt };
      signal.throwIfAborted();
      if (timedOut) throw timeoutOf(script, job);
      throw errorOf(script, outcome, hide);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      over.abort();
    }
  }, signal);
}

function jobOf(
  { kind, path, root, approved, limits, grants, texts = {} }: ScriptFile,
  call: LuaJob['call'],
): LuaJob {
  return {
    kind,
    path,
    root,
    approved,
    limits:
      call === null
        ? { ...describeLimits, timeoutMs: Math.min(limits.timeoutMs, describeLimits.timeoutMs) }
        : limits,
    env: grants.env,
    texts: call === null ? {} : texts,
    call,
  };
}

async function isCurrent(script: ScriptFile, { given, files }: Kept): Promise<boolean> {
  if (given !== givenTo(script)) return false;
  const hashes = await Promise.all(Object.keys(files).map(hashFile));
  return Object.values(files).every((hash, index) => hash === hashes[index]);
}

const givenTo = ({ root, grants }: ScriptFile) => hashValue([root, grants.env]);

const absent = () => Promise.reject(new Error('not available while a script loads'));
const nothing = { search: absent, get: absent, sources: absent };

const codeOf = ({ kind }: ScriptFile) => (kind === 'agent' ? 'agent_error' : 'tool_error');

function timeoutOf({ path }: ScriptFile, { limits, call }: LuaJob): ZooError {
  return new ZooError(
    'timeout',
    `${basename(path)} timed out after ${limits.timeoutMs / 1000} s${call ? '' : ' while loading'}`,
    {
      file: path,
      line: null,
      traceback: [],
    },
  );
}

function errorOf(
  script: ScriptFile,
  outcome: Exclude<LuaOutcome, { type: 'done' }>,
  hide: (text: string) => string,
): ZooError {
  if (outcome.type === 'ended') {
    const name = basename(script.path);
    const why = outcome.reason === 'memory' ? 'it exceeded its memory limit' : 'its thread exited';
    return new ZooError(codeOf(script), `${name}: ${why}`, { file: script.path, line: null, traceback: [] });
  }
  const { reason, message, file, line, traceback } = outcome.failure;
  const code = reason === 'untrusted' ? reason : codeOf(script);
  return new ZooError(code, hide(message), { file, line, traceback: traceback.map(hide) });
}

/** Masks the script's secrets in its logs and errors. */
function maskOf({ grants }: ScriptFile): (text: string) => string {
  const granted = Object.values(grants.env).filter((value) => value.length >= shortestSecret);
  const mask = createSecretMask([...granted, ...(grants.secrets ?? [])]);
  return (text) => redactText(mask.text(text));
}
