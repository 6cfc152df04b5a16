import type { Readable } from 'node:stream';
import { type Context, Hono } from 'hono';
import { type OperationName, api } from '../../contract/api.ts';
import type { Operation, RawReply } from '../../contract/table/operation.ts';
import type { Hub } from '../../hub/hub.ts';
import { type Admission, type FailureLog, createAdmission, expectedFailure } from './admission.ts';
import { type Pages, compileAnswer, rawResponse } from './answer.ts';
import { errorReply, unexpected } from './error-reply.ts';
import { type Asked, searchOf } from './asked.ts';
import { compileInput } from './input.ts';
import {
  type Direct,
  type DirectMount,
  type Mount,
  createDirect,
  isDirect,
  routerPath,
  withSafeHeaders,
} from './mounts.ts';
import { renderOpenApi } from './openapi.ts';
import { createStaticFiles } from './static-files.ts';
import { type Held, type TokenUse, createTokenUse } from './token-use.ts';
import { isRoute, unknownRoute } from './unknown-route.ts';

export interface HttpOptions {
  /** False makes every caller the operator; only for addresses that no other machine can reach. */
  auth: boolean;
  /** Host names under which the hub may be called, besides those of loopback. */
  allowedHosts: readonly string[];
  log: FailureLog;
  version: string;
  mounts?: readonly (Mount | DirectMount)[];
  /** The folder of a built web app. Without one, `/` says how to build it. */
  web?: string | null;
}

/** Facts about the connection that the server passes with each request. */
export interface HttpBindings {
  closing: AbortSignal;
  incoming: Readable;
  outgoing: Held;
}

export interface HttpApp {
  fetch(request: Request, bindings: HttpBindings): Response | Promise<Response>;
  /** Tried first. */
  direct: Direct;
  close(): void;
}

type Router = Hono<{ Bindings: HttpBindings }>;
type HttpContext = Context<{ Bindings: HttpBindings }>;
type Fail = (error: unknown, asked: Asked, name?: OperationName) => RawReply;

/**
 * The table of operations over HTTP. Each route has one handler and no middleware: everything possible is
 * prepared in advance, so that a request costs little more than its operation.
 */
export function createHttpApp(hub: Hub, options: HttpOptions): HttpApp {
  const router: Router = new Hono();
  const admission = createAdmission(hub, options);
  const pages = surfacePages(options.version);
  const { mounts = [], log } = options;
  const tokenUse = createTokenUse(hub);

  const fail: Fail = (error, asked, name) => {
    const expected = expectedFailure(error, asked, log, name) ?? unexpected();
    const challenge = { 'www-authenticate': 'Bearer realm="agent-zoo"' };
    return errorReply(expected, expected.code === 'unauthorized' ? challenge : {});
  };

  for (const name of operationNames()) {
    router.on(
      api[name].method,
      routerPath(api[name].path),
      operationHandler(name, hub, { admission, tokenUse, pages, fail, log }),
    );
  }
  for (const mount of mounts) if (!isDirect(mount)) addMount(router, mount, { admission, tokenUse, fail });
  router.notFound(async (c) => {
    const request = c.req.raw;
    try {
      await admission.know(request, 'agent');
      return rawResponse(unknownRoute(c.req.method, c.req.path));
    } catch (error) {
      return rawResponse(fail(error, request));
    }
  });

  const direct = createDirect(mounts.filter(isDirect), {
    admission,
    tokenUse,
    files: options.web ? createStaticFiles(options.web, pageAddresses(mounts)) : null,
    onError: (error, exchange) => exchange.reply(fail(error, exchange)),
  });
  return {
    fetch: (request, bindings) => router.fetch(request, bindings),
    direct,
    close: () => tokenUse.close(),
  };
}

interface Parts {
  admission: Admission;
  tokenUse: TokenUse;
  pages: Pages;
  fail: Fail;
  log: FailureLog;
}

function operationHandler(name: OperationName, hub: Hub, { admission, tokenUse, pages, fail, log }: Parts) {
  const operation: Operation = api[name];
  const { access } = operation;
  const read = compileInput(operation);
  const answer = compileAnswer(name, hub, pages);
  const onStreamError = (error: unknown): void => log.error({ err: error, operation: name }, 'stream failed');

  return async (c: HttpContext): Promise<Response> => {
    const request = c.req.raw;
    try {
      const known = await admission.know(request, access);
      tokenUse.hold(known.identity.caller, c.env.outgoing);
      const query = read.query(searchOf(request.url));
      const context = await admission.context(request, known, query);
      const input = await read.input(request, c.req.param(), query, c.env.incoming);
      return await answer(input, context, { request, closing: c.env.closing, onStreamError });
    } catch (error) {
      return rawResponse(fail(error, request, name));
    }
  };
}

function addMount(
  router: Router,
  mount: Mount,
  { admission, tokenUse, fail }: Pick<Parts, 'admission' | 'tokenUse' | 'fail'>,
): void {
  for (const route of mount.routes) {
    const access = route.public ? 'public' : 'agent';
    router.all(routerPath(route.path), async (c) => {
      const request = c.req.raw;
      try {
        const context = await admission.toMount(request, access, c.req.param('agent'), route);
        tokenUse.hold(context.caller, c.env.outgoing);
        return withSafeHeaders(await mount.handle(request, context));
      } catch (error) {
        return rawResponse(fail(error, request));
      }
    });
  }
}

const operationNames = (): OperationName[] =>
  Object.keys(api).filter((name): name is OperationName => name in api);

/** Client-side routes of the web app: neither a file nor an API route nor a mount. */
function pageAddresses(mounts: readonly (Mount | DirectMount)[]): (path: string) => boolean {
  const mounted = mounts.flatMap((mount) =>
    isDirect(mount) ? [mount.path] : mount.routes.map(({ path }) => path.replace(/\/[{*].*$/, '')),
  );
  const taken = ['/api', '/.well-known', ...mounted];
  return (path) =>
    !isRoute(path) && !taken.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
}

function surfacePages(version: string): Pages {
  let openapi: string | undefined;
  return {
    openapi: async () => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: (openapi ??= renderOpenApi(version)),
    }),
    // Reached only where no web app is built: its files are served before any route.
    home: async () => ({
      status: 404,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: 'The web app is not built. Run: npm run build\n',
    }),
  };
}
