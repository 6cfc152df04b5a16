export interface BindAddress {
  host?: string;
  port?: number;
}

/** `host:port`, `[::1]:port`, `host` or `:port`; null for what is none of them. */
export function parseBind(bind: string): BindAddress | null {
  const match = /^(\[[^\]]+\]|[^:]*)(?::(\d{1,5}))?$/.exec(bind.trim());
  const port = match?.[2] === undefined ? undefined : Number(match[2]);
  if (!match || (port ?? 0) > 65_535 || (!match[1] && port === undefined)) return null;
  const host = match[1]?.replace(/^\[(.*)\]$/, '$1');
  return { ...(host ? { host } : {}), ...(port === undefined ? {} : { port }) };
}

/** Whether only this machine reaches the address. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase();
  return name === 'localhost' || name === '::1' || /^127(?:\.\d{1,3}){3}$/.test(name);
}
