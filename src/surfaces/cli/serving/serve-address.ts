import { isLoopback, parseBind } from '../../../platform/config/bind-address.ts';
import { Failure, wrongUsage } from '../output/failure.ts';
import type { HttpAddress } from '../../../hub/serving/served-surfaces.ts';

const fallback: HttpAddress = { host: '127.0.0.1', port: 7331 };

/** Flags take precedence over `[server] bind`; the default is 127.0.0.1:7331. */
export function chooseAddress(flags: Partial<HttpAddress>, bind: string | null): HttpAddress {
  const configured = bind === null ? {} : requireBind(bind);
  return {
    host: stripBrackets(flags.host ?? configured.host ?? fallback.host),
    port: flags.port ?? configured.port ?? fallback.port,
  };
}

function requireBind(bind: string): Partial<HttpAddress> {
  const address = parseBind(bind);
  if (address) return address;
  throw new Failure(`[server] bind = ${JSON.stringify(bind)} is not an address`, {
    hints: ['write it as "127.0.0.1:7331"'],
  });
}

const stripBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');

/** Without tokens, anyone who can connect is the operator, so this is for this machine only. */
export function refuseOpenDoor({ host }: HttpAddress, auth: boolean): void {
  if (auth || isLoopback(host)) return;
  throw wrongUsage(
    `--no-auth would let anybody who reaches ${host} act as you`,
    'omit --no-auth: callers can use the token from `zoo token`',
    'or omit --host: --no-auth works on 127.0.0.1',
  );
}

/** Explains why the server cannot listen. */
export function explainListenError(error: unknown, { host, port }: HttpAddress): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    const hints = [
      `choose another: zoo serve --port ${port + 1 > 65_535 ? 7331 : port + 1}`,
      'any free one: --port 0',
    ];
    return new Failure(`port ${port} on ${host} is taken by another program`, { hints });
  }
  if (code === 'EACCES') {
    return new Failure(`port ${port} on ${host} needs more privileges`, {
      hints: ['choose one above 1023: --port 7331'],
    });
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new Failure(`${host} is not an address of this machine`, {
      hints: ['use --host 127.0.0.1'],
    });
  }
  return error;
}
