import { existsSync } from 'node:fs';
import { codeOf } from '../../platform/files/text-file.ts';
import { redactText } from '../../platform/text/redact.ts';
import { createSecretMask } from '../../platform/text/secret-mask.ts';
import type { Exit } from '../../platform/processes/processes.ts';
import type { Launch } from './upstream.ts';

/** Where common commands come from. */
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
  return `its config needs ${what} not set. Set ${them} with \`zoo secret set ${names[0]}\`, in a .env beside the config, or in the environment of the hub.`;
}

/** Why a process ended, as the end of a sentence that begins with the server's name. */
export function describeExit(exit: Exit, said: string, launch: Launch): string {
  const shown = said === '' ? '' : ` It said:\n${said}`;
  if (exit.error) return describeSpawn(exit.error, launch);
  const how = exit.signal === null ? `exited with code ${exit.code}` : `was killed by ${exit.signal}`;
  return `${how}.${shown || ' It printed no error.'}`;
}

function describeSpawn(error: Error, launch: Launch): string {
  if (launch.kind !== 'stdio') return describeError(error, launch);
  const { command, cwd } = launch;
  const code = codeOf(error);
  if (code === 'ENOENT') {
    if (!existsSync(cwd)) return `could not be started: the folder ${cwd} in \`cwd\` does not exist.`;
    const hint =
      INSTALL[
        command
          .split(/[\\/]/)
          .at(-1)
          ?.replace(/\.(exe|cmd)$/i, '') ?? ''
      ];
    return `could not be started: command '${command}' not found.${hint ? ` ${hint}` : ''} The hub looks for commands on its own PATH; a full path always works.`;
  }
  if (code === 'EACCES') return `could not be started: '${command}' is not executable.`;
  return `could not be started: ${shorten(error.message, launch)}`;
}

/** The same for an error of the connection. */
export function describeError(error: unknown, launch: Launch): string {
  const { message, status, code } = factsOf(error);
  const where = launch.kind === 'http' ? hostOf(launch.url) : launch.command;
  if (status === 401) {
    return `${where} requires authentication (401). Run 'zoo tools login NAME' if it supports OAuth; otherwise set the right header in its config.`;
  }
  if (status === 403) return `${where} denied access (403): check the token or header in its config.`;
  if (status === 404) return `no MCP server found at this path on ${where} (404): check \`url\`.`;
  if (status !== null && status >= 500) return `${where} failed with an internal error (${status}).`;
  if (status !== null) return `${where} answered ${status}: ${shorten(message, launch)}`;
  if (code === 'ECONNREFUSED') return `${where} refused the connection: is the server running?`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `host ${where} not found: check \`url\`.`;
  if (code !== null && /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) {
    return `the certificate of ${where} is not trusted (${code}). Add its authority with NODE_EXTRA_CA_CERTS.`;
  }
  if (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET') return `${where} closed the connection.`;
  if (code === 'REQUEST_TIMEOUT') return `did not answer in time: ${shorten(message, launch)}`;
  return shorten(message, launch);
}

/** The HTTP status that an error is about. */
export const statusIn = (error: unknown): number | null => factsOf(error).status;

interface Facts {
  message: string;
  status: number | null;
  code: string | null;
}

/** Message, HTTP status and code from an error and its causes. */
function factsOf(error: unknown): Facts {
  const facts: Facts = { message: '', status: null, code: null };
  let cause = error;
  for (let depth = 0; depth < 6 && cause instanceof Error; depth += 1) {
    const { message } = cause;
    // The innermost message is the most specific.
    facts.message = message || facts.message;
    const status = numberAt(cause, 'status') ?? numberAt(Reflect.get(cause, 'data'), 'status');
    facts.status ??= status ?? (cause.name === 'UnauthorizedError' ? 401 : null);
    const code: unknown = Reflect.get(cause, 'code');
    // System codes say more than those of the SDK.
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
    return 'its URL';
  }
}

/** Masks before truncating: half a secret would not be recognised. */
const shorten = (message: string, { secrets }: Launch): string =>
  createSecretMask(secrets).text(redactText(message)).slice(0, 500);
