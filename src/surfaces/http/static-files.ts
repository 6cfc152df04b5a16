import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sirv from 'sirv';
import { BARE_HEADERS, SAFE_HEADERS } from './headers.ts';

/** The built page has no inline scripts or styles, so the policy allows none. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Has files of the web app only. */
const ASSETS = '/assets/';
/** Names with a hash of their content, as bundlers write them: `index-BxY1_z9k.js`. */
const HASHED = /^\/assets\/.*[-.][\w-]{8,}\.\w+$/;

/** Serves a file and returns true, or leaves the request alone. */
export type StaticFiles = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;

/**
 * The files of a built web app. The folder is read once, so that a path can name nothing outside of it; `.br` and
 * `.gz` beside a file are sent to browsers that accept them. Paths for which `isPage` holds get `index.html`.
 */
export function createStaticFiles(folder: string, isPage: (path: string) => boolean): StaticFiles {
  const options = { brotli: true, gzip: true, etag: true, extensions: ['html'], setHeaders };
  const files = sirv(folder, options);
  const pages = sirv(folder, { ...options, single: true });

  return (incoming, outgoing) => {
    const { method, headers, url = '/' } = incoming;
    if (method !== 'GET' && method !== 'HEAD') return false;
    const [path = '/'] = url.split('?', 1);
    const isNavigation = (headers.accept ?? '').includes('text/html');
    let isServed = true;
    const serve = isNavigation && isPage(path) ? pages : files;
    serve(incoming, outgoing, () => {
      isServed = path.startsWith(ASSETS);
      // Pages of an older build ask for files that are gone, without a token.
      if (isServed) outgoing.writeHead(404, BARE_HEADERS).end();
    });
    return isServed;
  };
}

function setHeaders(outgoing: ServerResponse, path: string): void {
  for (const [name, value] of Object.entries(SAFE_HEADERS)) outgoing.setHeader(name, value);
  outgoing.setHeader('content-security-policy', PAGE_POLICY);
  // Everything else is revalidated by its ETag.
  outgoing.setHeader('cache-control', HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache');
}

/** The folder of the built page: beside the program and its chunks, or in `dist` when the sources run. */
export function webFolder(): string | null {
  const places = ['./web', '../web', '../../../dist/web'];
  const folders = places.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  return folders.find((folder) => existsSync(join(folder, 'index.html'))) ?? null;
}
