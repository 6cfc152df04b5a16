import { ZooError } from '../../../contract/errors.ts';
import { describeError, statusIn } from '../diagnosis.ts';
import type { Link } from '../connection/link.ts';
import type { Upstream } from '../upstream.ts';
import { asError } from '../../../platform/text/error-message.ts';

const WHY_MS = 500;

/** The codes of the SDK's own errors that concern us; its classes would bring the whole SDK along. */
const UNSENT = new Set(['NOT_CONNECTED', 'SEND_FAILED']);
const ENDED = new Set(['CONNECTION_CLOSED']);

const codeIn = (error: unknown): unknown => (error instanceof Error ? Reflect.get(error, 'code') : undefined);

/** Whether a request certainly did nothing, so that it can be made again on another connection. */
export function isUndone(error: unknown, { launch }: Upstream): boolean {
  if (error instanceof ZooError) return false;
  const code = codeIn(error);
  if (typeof code === 'string' && UNSENT.has(code)) return true;
  // A session that the server no longer knows: it was restarted, or it forgets.
  const status = launch.kind === 'http' ? statusIn(error) : null;
  return status === 404 || (status === 400 && error instanceof Error && /session/i.test(error.message));
}

/** Whether it says something about the way to the server, rather than about the request. */
export function isBroken(error: unknown, { launch }: Upstream): boolean {
  return launch.kind === 'http' && !(error instanceof ZooError) && typeof codeIn(error) !== 'number';
}

const withName = (text: string, name: string): string =>
  text.replaceAll('zoo tools login NAME', `zoo tools login ${name}`);

/** What to do says which server to do it with. Who the user is there is not who calls us. */
export function named(error: unknown, { name }: Upstream): Error {
  if (!(error instanceof ZooError)) return asError(error);
  const code = error.code === 'unauthorized' ? 'tool_error' : error.code;
  return new ZooError(code, withName(error.message, name), {
    ...error.details,
    server: name,
  });
}

/** A failed request, as its caller is told. */
export async function callFailure(thrown: unknown, upstream: Upstream, link: Link): Promise<ZooError> {
  const { name, launch } = upstream;
  if (thrown instanceof ZooError && thrown.code === 'unauthorized') {
    return new ZooError('tool_error', `The server '${name}': ${named(thrown, upstream).message}`, {
      server: name,
    });
  }
  if (thrown instanceof ZooError) return thrown;
  const code = codeIn(thrown);
  if (typeof code === 'string' && (ENDED.has(code) || UNSENT.has(code))) {
    const why = (await Promise.race([link.closed, soon()]))?.why ?? 'it was stopped.';
    const text = `The server '${name}' ended in the middle of the call, which may have happened: ${why} It is started again by the next call.`;
    return new ZooError('tool_error', text, { server: name, happened: 'maybe' });
  }
  // The server's own word.
  if (typeof code === 'number' && thrown instanceof Error) {
    return new ZooError('tool_error', `The server '${name}' answered with an error: ${thrown.message}`, {
      server: name,
      code,
    });
  }
  const refused = statusIn(thrown) !== null || /nobody listens/.test(describeError(thrown, launch));
  const doubt = refused ? '' : ' The call may have happened.';
  const why = withName(describeError(thrown, launch), name);
  return new ZooError('tool_error', `The server '${name}': ${why}${doubt}`, {
    server: name,
  });
}

const soon = (): Promise<null> => new Promise((resolve) => setTimeout(() => resolve(null), WHY_MS));
