import {
  type OAuthClientProvider,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { ZooError } from '../../../contract/errors.ts';
import type { Era, Link } from './link.ts';
import { serverFetch } from './server-fetch.ts';
import type { Launch } from '../upstream.ts';

type HttpLaunch = Extract<Launch, { kind: 'http' }>;

/** Statuses with which servers of the older SSE transport answer a streamable HTTP request. */
const OLDER = new Set([400, 404, 405, 406]);

export async function connectHttp(
  launch: HttpLaunch,
  { auth: login, era }: { auth: OAuthClientProvider | null; era: Era | null },
  shake: (transport: Transport, era: Era | null) => Promise<Link>,
): Promise<Link> {
  const url = parseUrl(launch.url);
  const requestInit = { headers: { ...launch.headers } };
  const auth = login && !hasAuthorization(launch) ? { authProvider: login } : {};
  const transport = new StreamableHTTPClientTransport(url, { requestInit, fetch: serverFetch, ...auth });
  try {
    return await shake(transport, era);
  } catch (error) {
    if (!(error instanceof ZooError) || !OLDER.has(Number(error.details?.['status']))) throw error;
    const older = new SSEClientTransport(url, { requestInit, fetch: serverFetch, ...auth });
    // If SSE fails, too, the first error says more.
    return shake(older, 'legacy').catch(() => Promise.reject(error));
  }
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  throw new ZooError('tool_error', 'has an invalid `url`: it must begin with http:// or https://.');
}

const hasAuthorization = ({ headers }: HttpLaunch): boolean =>
  Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
