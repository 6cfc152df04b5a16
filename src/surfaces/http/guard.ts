import { ZooError } from '../../contract/errors.ts';
import type { Asked } from './asked.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/;
const REMEMBERED = 256;

/** Refuses requests that a page of another site can make a browser send. */
export interface Guard {
  check(headers: Asked['headers']): void;
  isAllowed(host: string): boolean;
}

/**
 * A page whose name was rebound to this machine still sends that name as `Host`; any other page sends its own
 * `Origin`. An allowed host with a port allows that port only.
 */
export function createGuard(allowedHosts: readonly string[]): Guard {
  const allowed = new Set([...LOOPBACK, ...allowedHosts.map((host) => host.toLowerCase())]);
  const remembered = new Set<string>();

  const isAllowed = (host: string): boolean => {
    if (remembered.has(host)) return true;
    const lower = host.toLowerCase();
    const name = HOST.exec(lower)?.[1];
    if (name === undefined || !(allowed.has(name) || allowed.has(lower))) return false;
    if (remembered.size < REMEMBERED) remembered.add(host);
    return true;
  };

  const check: Guard['check'] = (headers) => {
    const host = headers.get('host') ?? '';
    if (!isAllowed(host)) {
      throw new ZooError(
        'foreign_host',
        `Host ${JSON.stringify(host)} is not allowed. Add it to \`[server] allowed_hosts\` to serve it.`,
      );
    }
    const origin = headers.get('origin');
    if (origin !== null && !isOwnOrigin(origin, host)) {
      throw new ZooError('foreign_origin', `Requests from ${JSON.stringify(origin)} are not accepted`);
    }
  };
  return { check, isAllowed };
}

function isOwnOrigin(origin: string, host: string): boolean {
  const lower = origin.toLowerCase();
  const own = host.toLowerCase();
  return lower === `http://${own}` || lower === `https://${own}`;
}

/**
 * Without tokens every page on this machine could act as the operator. Pages on other ports of one host are same-site
 * to a browser, so only requests of the hub's own pages, of people and of programs are let through.
 */
export function refuseForeignPage(method: string, headers: Asked['headers']): void {
  const site = headers.get('sec-fetch-site');
  if (site === null || site === 'same-origin') return;
  const isSafe = method === 'GET' || method === 'HEAD';
  if (isSafe ? isOpenedByPerson(site, headers) : headers.get('origin') !== null) return;
  throw new ZooError('foreign_origin', 'Only pages of this hub may do this without a token');
}

/** The address bar, or a link that was followed to the page itself. */
const isOpenedByPerson = (site: string, headers: Asked['headers']): boolean =>
  site === 'none' || headers.get('sec-fetch-mode') === 'navigate';
