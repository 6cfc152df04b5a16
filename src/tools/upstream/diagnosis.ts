import { existsSync } from 'node:fs';
import { codeOf } from '../../platform/files/text-file.ts';
import { redactText } from '../../platform/text/redact.ts';
import type { Exit } from '../../platform/processes/processes.ts';
import type { Launch } from './upstream.ts';

/** What people can install to have a command. */
const INSTALL: Record<string, string> = {
  npx: 'It comes with Node.js (https://nodejs.org).',
  node: 'It is Node.js (https://nodejs.org).',
  uvx: 'It comes with uv (https://docs.astral.sh/uv).',
  uv: 'It is uv (https://docs.astral.sh/uv).',
  python: 'It is Python (https://www.python.org).',
  python3: 'It is Python (https://www.python.org).',
  docker: 'It is Docker (https://docs.docker.com/get-docker).',
  deno: 'It is Deno (https://deno.com).',
  bunx: 'It comes with Bun (https://bun.sh).',
  bun: 'It is Bun (https://bun.sh).',
};

export function missingVariables(names: readonly string[]): string {
  const [what, them] =
    names.length === 1
      ? [`the variable ${names[0]}, which is`, 'it']
      : [`the variables ${names.join(', ')}, which are`, 'them'];
  return `its config needs ${what} not set. Set ${them} where the hub is started, and start it again.`;
}

/** Why a process could not be talked to, in a sentence that begins with the name of the server. */
export function describeExit(exit: Exit, said: string, launch: Launch): string {
  const shown = said === '' ? '' : ` It said:\n${said}`;
  if (exit.error) return describeSpawn(exit.error, launch);
  const how = exit.signal === null ? `exited with code ${exit.code}` : `was ended by ${exit.signal}`;
  return `${how}.${shown || ' It said nothing about why.'}`;
}

function describeSpawn(error: Error, launch: Launch): string {
  if (launch.kind !== 'stdio') return describeError(error, launch);
  const { command, cwd } = launch;
  const code = codeOf(error);
  if (code === 'ENOENT') {
    if (!existsSync(cwd)) return `could not be started: there is no folder ${cwd}, which its \`cwd\` names.`;
    const hint =
      INSTALL[
        command
          .split(/[\\/]/)
          .at(-1)
          ?.replace(/\.(exe|cmd)$/i, '') ?? ''
      ];
    return `could not be started: there is no command '${command}'.${hint ? ` ${hint}` : ''} The hub looks for commands in the PATH that it was started with; a whole path always works.`;
  }
  if (code === 'EACCES') return `could not be started: '${command}' may not be run (is it executable?).`;
  return `could not be started: ${redactText(error.message)}`;
}

/** The same for anything that was thrown while it was talked to. */
export function describeError(error: unknown, launch: Launch): string {
  const { message, status, code } = factsOf(error);
  const where = launch.kind === 'http' ? hostOf(launch.url) : launch.command;
  if (status === 401) {
    return `${where} wants to know who you are (401). 'zoo tools login NAME' signs in, if it takes that; otherwise its config needs the right header.`;
  }
  if (status === 403) return `${where} refuses (403): the token or header in its config is not enough.`;
  if (status === 404) return `there is no MCP server at its address on ${where} (404): check \`url\`.`;
  if (status !== null && status >= 500) return `${where} has trouble of its own (${status}).`;
  if (status !== null) return `${where} answered ${status}: ${shorten(message)}`;
  if (code === 'ECONNREFUSED') return `nobody listens at ${where}: is the server running?`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `there is no host of the name in its address, ${where}: check \`url\`.`;
  if (code !== null && /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) {
    return `the certificate of ${where} is not trusted (${code}). NODE_EXTRA_CA_CERTS names further authorities.`;
  }
  if (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET') return `${where} broke off the connection.`;
  if (code === 'REQUEST_TIMEOUT') return `did not answer in time: ${shorten(message)}`;
  return shorten(message);
}

/** The HTTP status that an error is about. */
export const statusIn = (error: unknown): number | null => factsOf(error).status;

interface Facts {
  message: string;
  status: number | null;
  code: string | null;
}

/** What is hidden in an error and its causes. */
function factsOf(error: unknown): Facts {
  const facts: Facts = { message: '', status: null, code: null };
  let cause = error;
  for (let depth = 0; depth < 6 && cause instanceof Error; depth += 1) {
    const { message } = cause;
    // The innermost says it best: the others say that something failed.
    facts.message = message || facts.message;
    const status = numberAt(cause, 'status') ?? numberAt(Reflect.get(cause, 'data'), 'status');
    facts.status ??= status ?? (cause.name === 'UnauthorizedError' ? 401 : null);
    const code: unknown = Reflect.get(cause, 'code');
    // The SDK has codes of its own, which say less than the system's.
    if (typeof code === 'string' && (facts.code === null || /^E[A-Z]/.test(code))) facts.code = code;
    const inner: unknown = cause.cause ?? Reflect.get(Object(Reflect.get(cause, 'data')), 'cause');
    cause = inner instanceof AggregateError ? (inner.errors[0] ?? inner) : inner;
  }
  if (facts.message === '') facts.message = String(error);
  return facts;
}

function numberAt(value: unknown, key: string): number | null {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, key) : null;
  return typeof found === 'number' ? found : null;
}

function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return 'its address';
  }
}

const shorten = (message: string): string => redactText(message).slice(0, 500);
