import { ZooError } from '../../../contract/errors.ts';
import { describeError, statusIn } from '../diagnosis.ts';
import type { Link } from '../connection/link.ts';
import type { Upstream } from '../upstream.ts';
import { ProcessEnded } from '../../../platform/processes/processes.ts';
import { asError } from '../../../platform/text/error-message.ts';

const WHY_MS = 500;

/** Error codes of the SDK. Importing its classes would load the whole SDK. */
const UNSENT = new Set(['NOT_CONNECTED', 'SEND_FAILED']);
const ENDED = new Set(['CONNECTION_CLOSED']);

const codeIn = (error: unknown): unknown => (error instanceof Error ? Reflect.get(error, 'code') : undefined);

/** Whether a request certainly had no effect, so that it can be retried on another connection. */
export function isUndone(error: unknown, { launch }: Upstream): boolean {
  if (error instanceof ZooError) return false;
  if (error instanceof ProcessEnded) return true;
  const code = codeIn(error);
  if (typeof code === 'string' && UNSENT.has(code)) return true;
  // An unknown session: the server was restarted, or the session expired.
  const status = launch.kind === 'http' ? statusIn(error) : null;
  return status === 404 || (status === 400 && error instanceof Error && /session/i.test(error.message));
}

/** Whether the connection failed, rather than the request. */
export function isBroken(error: unknown, { launch }: Upstream): boolean {
  return launch.kind === 'http' && !(error instanceof ZooError) && typeof codeIn(error) !== 'number';
}

const withName = (text: string, name: string): string =>
  text.replaceAll('zoo tools login NAME', `zoo tools login ${name}`);

/** Adds the server's name. A 401 from the server must not look like one from the hub. */
export function named(error: unknown, { name }: Upstream): Error {
  if (!(error instanceof ZooError)) return asError(error);
  const isLogin = error.code === 'unauthorized' || error.details?.['status'] === 401;
  return new ZooError(
    error.code === 'unauthorized' ? 'tool_error' : error.code,
    withName(error.message, name),
    {
      ...error.details,
      server: name,
      ...(isLogin ? { login: true } : {}),
    },
  );
}

/** The error for the caller of a failed request. */
export async function callFailure(thrown: unknown, upstream: Upstream, link: Link): Promise<ZooError> {
  const { name, launch } = upstream;
  if (thrown instanceof ZooError && thrown.code === 'unauthorized') {
    return new ZooError('tool_error', `The server '${name}': ${named(thrown, upstream).message}`, {
      server: name,
      login: true,
    });
  }
  if (thrown instanceof ZooError) return thrown;
  const code = codeIn(thrown);
  const ended = typeof code === 'string' && (ENDED.has(code) || UNSENT.has(code));
  if (ended || thrown instanceof ProcessEnded) {
    const why = (await Promise.race([link.closed, soon()]))?.why ?? 'it was stopped.';
    const text = `The server '${name}' exited during the call, which may have taken effect: ${why} The next call starts it again.`;
    return new ZooError('tool_error', text, { server: name, happened: 'maybe' });
  }
  // An error from the server itself.
  if (typeof code === 'number' && thrown instanceof Error) {
    return new ZooError('tool_error', `The server '${name}' returned an error: ${thrown.message}`, {
      server: name,
      code,
    });
  }
  const refused = statusIn(thrown) !== null || /refused the connection/.test(describeError(thrown, launch));
  const doubt = refused ? '' : ' The call may have taken effect.';
  const why = withName(describeError(thrown, launch), name);
  return new ZooError('tool_error', `The server '${name}': ${why}${doubt}`, {
    server: name,
    ...(statusIn(thrown) === 401 ? { login: true } : {}),
  });
}

const soon = (): Promise<null> => new Promise((resolve) => setTimeout(() => resolve(null), WHY_MS));
