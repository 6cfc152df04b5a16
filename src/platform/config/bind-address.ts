export interface BindAddress {
  host?: string;
  port?: number;
}

/** `host:port`, `[::1]:port`, `host` or `:port`; null for anything else. */
export function parseBind(bind: string): BindAddress | null {
  const match = /^(\[[^\]]+\]|[^:]*)(?::(\d{1,5}))?$/.exec(bind.trim());
  const port = match?.[2] === undefined ? undefined : Number(match[2]);
  if (!match || (port ?? 0) > 65_535 || (!match[1] && port === undefined)) return null;
  const host = match[1]?.replace(/^\[(.*)\]$/, '$1');
  return { ...(host ? { host } : {}), ...(port === undefined ? {} : { port }) };
}

/** Whether the address is reachable from this machine only. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase();
  return name === 'localhost' || name === '::1' || /^127(?:\.\d{1,3}){3}$/.test(name);
}
