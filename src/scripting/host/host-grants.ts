import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The hosts that a script may connect to. */
export interface HostGrants {
  /** By name and port. A grant without a port is for the scheme's default port. */
  allowsUrl(url: URL): boolean;
  /** By resolved address. Public addresses are allowed; all others must be granted as addresses. */
  allowsAddress(address: string, host: string): boolean;
}

interface NamedGrant {
  /** In lower case; `*.` matches any subdomain, and `*` any name. */
  host: string;
  /** Null for the scheme's default port. */
  port: string | null;
}

export function parseHostGrants(patterns: readonly string[]): HostGrants {
  const networks = patterns
    .filter((pattern) => ipaddr.isValidCIDR(pattern))
    .map((text) => ipaddr.parseCIDR(text));
  const named = patterns.filter((pattern) => !ipaddr.isValidCIDR(pattern)).map(parseNamed);
  const inNetwork = (address: Address) =>
    networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));

  return {
    allowsUrl(url) {
      const host = hostOf(url);
      if (ipaddr.isValid(host) && url.port === '' && inNetwork(ipaddr.process(host))) return true;
      return named.some(
        (grant) => matches(grant.host, host) && (grant.port === '*' || (grant.port ?? '') === url.port),
      );
    },
    allowsAddress(text, host) {
      if (!ipaddr.isValid(text)) return false;
      const address = ipaddr.process(text);
      if (address.range() === 'unicast' || inNetwork(address)) return true;
      const isHome = isLocalhost(host) && address.range() === 'loopback';
      return named.some(
        (grant) =>
          (isHome && grant.host === host) || (ipaddr.isValid(grant.host) && sameAddress(grant.host, address)),
      );
    },
  };
}

/** Without IPv6 brackets and a trailing dot. */
export const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$|\.$/g, '').toLowerCase();

const isLocalhost = (host: string) => host === 'localhost' || host.endsWith('.localhost');

const sameAddress = (text: string, address: Address) =>
  ipaddr.process(text).toNormalizedString() === address.toNormalizedString();

function parseNamed(pattern: string): NamedGrant {
  const text = pattern.trim().toLowerCase();
  if (ipaddr.isValid(text)) return { host: ipaddr.process(text).toString(), port: null };
  const [, bracketed, plain, port] = /^(?:\[(.+)\]|([^:]+))(?::(\d+|\*))?$/.exec(text) ?? [];
  const host = bracketed ?? plain ?? text;
  return { host: ipaddr.isValid(host) ? ipaddr.process(host).toString() : host, port: port ?? null };
}

function matches(grant: string, host: string): boolean {
  if (grant === '*') return !ipaddr.isValid(host);
  if (grant.startsWith('*.')) return !ipaddr.isValid(host) && host.endsWith(grant.slice(1));
  return grant === (ipaddr.isValid(host) ? ipaddr.process(host).toString() : host);
}
