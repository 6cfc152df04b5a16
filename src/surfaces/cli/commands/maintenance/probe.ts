import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Environment } from '../../../../platform/home/paths.ts';
import { findProgram } from '../../../../platform/processes/find-program.ts';
import { isTable } from '../../../../platform/config-edits/format.ts';
import type { Launch } from '../../../../platform/clients/client.ts';

export type Probe =
  /** `tools` is null for ACP, which lists none. */
  | { ok: true; name: string; version: string; tools: number | null }
  | { ok: false; problem: 'missing' | 'ended' | 'silent' | 'refused'; message: string; said: string };

interface Answer {
  result?: unknown;
  error?: { message?: unknown };
}

/** Starts exactly what a client would start, performs the handshake, and stops it again. */
export async function probe(
  launch: Launch,
  options: { cwd: string; env: Environment; timeoutMs: number; protocol: 'mcp' | 'acp' },
): Promise<Probe> {
  const { command, args, env } = launch;
  const { cwd } = options;
  const childEnv = { ...options.env, ...env };
  // The system reports an unreadable folder on the PATH, where a shell would try the next one.
  const isMissing = (await findProgram(command, childEnv, cwd)) === null;
  const child = spawn(command, args, { cwd, env: childEnv, stdio: 'pipe' });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-2000)));
  // Writing to an exited process is not a failure of its own.
  child.stdin.on('error', () => undefined);
  const answers = answersOf(child);
  let timer: NodeJS.Timeout | undefined;
  const problem = new Promise<Probe>((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      resolve({
        ok: false,
        problem: isMissing || error.code === 'ENOENT' ? 'missing' : 'ended',
        message: error.message,
        said,
      }),
    );
    child.once('close', (code, signal) =>
      resolve({ ok: false, problem: 'ended', message: `exited with ${signal ?? `code ${code}`}`, said }),
    );
    timer = setTimeout(
      () =>
        resolve({
          ok: false,
          problem: 'silent',
          message: `no response within ${options.timeoutMs / 1000} s`,
          said,
        }),
      options.timeoutMs,
    );
  });
  try {
    const hello = options.protocol === 'acp' ? greetAgent : greet;
    return await Promise.race([problem, hello(child, answers, () => said)]);
  } finally {
    clearTimeout(timer);
    await end(child);
  }
}

async function greet(
  child: ChildProcessWithoutNullStreams,
  answers: (id: number) => Promise<Answer>,
  said: () => string,
): Promise<Probe> {
  const send = (message: object): void =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const refused = (answer: Answer): Probe => ({
    ok: false,
    problem: 'refused',
    message: typeof answer.error?.message === 'string' ? answer.error.message : 'the response is not MCP',
    said: said(),
  });
  send({
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'zoo doctor', version: '1' },
    },
  });
  const hello = await answers(1);
  const server = isTable(hello.result) ? hello.result['serverInfo'] : undefined;
  if (!isTable(server)) return refused(hello);
  send({ method: 'notifications/initialized' });
  send({ id: 2, method: 'tools/list', params: {} });
  const list = await answers(2);
  const tools = isTable(list.result) ? list.result['tools'] : undefined;
  if (!Array.isArray(tools)) return refused(list);
  return { ok: true, name: String(server['name']), version: String(server['version']), tools: tools.length };
}

async function greetAgent(
  child: ChildProcessWithoutNullStreams,
  answers: (id: number) => Promise<Answer>,
  said: () => string,
): Promise<Probe> {
  const params = { protocolVersion: 1, clientCapabilities: {} };
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
  const { result, error } = await answers(1);
  const agent = isTable(result) ? result['agentInfo'] : undefined;
  if (isTable(agent))
    return { ok: true, name: String(agent['name']), version: String(agent['version']), tools: null };
  const message = typeof error?.message === 'string' ? error.message : 'the response is not ACP';
  return { ok: false, problem: 'refused', message, said: said() };
}

/** One line is one message; any other output confuses clients and counts as a failure. */
function answersOf(child: ChildProcessWithoutNullStreams): (id: number) => Promise<Answer> {
  const arrived = new Map<number, Answer>();
  const waiting = new Map<number, (answer: Answer) => void>();
  const settle = (id: number, answer: Answer): void => {
    arrived.set(id, answer);
    waiting.get(id)?.(answer);
  };
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = parseLine(line);
    if (!message) {
      const error = { message: `it writes output that is not MCP: ${line.slice(0, 80)}` };
      for (const id of [1, 2]) if (!arrived.has(id)) settle(id, { error });
    } else if (typeof message['id'] === 'number' && !('method' in message)) {
      settle(message['id'], message);
    }
  });
  return (id) =>
    new Promise((resolve) => {
      const answer = arrived.get(id);
      if (answer) resolve(answer);
      else waiting.set(id, resolve);
    });
}

function parseLine(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return isTable(value) ? value : null;
  } catch {
    return null;
  }
}

/** As clients do: close the input, then SIGTERM, then SIGKILL. */
async function end(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const timers = [
    setTimeout(() => child.kill('SIGTERM'), 2000),
    setTimeout(() => child.kill('SIGKILL'), 4000),
  ];
  child.stdin.end();
  await ended;
  for (const timer of timers) clearTimeout(timer);
}
