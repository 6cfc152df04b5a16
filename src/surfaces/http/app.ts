import type { Readable } from 'node:stream';
import { type Context, Hono } from 'hono';
import { type OperationName, api } from '../../contract/api.ts';
import type { ZooError } from '../../contract/errors.ts';
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
import { renderHome, renderLoginNeeded } from './page.ts';
import { unknownRoute } from './unknown-route.ts';

const AGENTS_ON_PAGE = 60;

export interface HttpOptions {
  /** False makes every caller the operator; only for addresses that no other machine can reach. */
  auth: boolean;
  /** Host names under which the hub may be called, besides those of loopback. */
  allowedHosts: readonly string[];
  log: FailureLog;
  version: string;
  mounts?: readonly (Mount | DirectMount)[];
}

/** What a server tells the app with each request. */
export interface HttpBindings {
  closing: AbortSignal;
  incoming: Readable;
}

export interface HttpApp {
  fetch(request: Request, bindings: HttpBindings): Response | Promise<Response>;
  /** Tried first. */
  direct: Direct;
}

type Router = Hono<{ Bindings: HttpBindings }>;
type HttpContext = Context<{ Bindings: HttpBindings }>;
type Fail = (error: unknown, asked: Asked, name?: OperationName) => Promise<RawReply>;

/**
 * The table of operations over HTTP. Each route has one handler and no middleware: everything that can be prepared
 * is, and a request then costs little more than its operation.
 */
export function createHttpApp(hub: Hub, options: HttpOptions): HttpApp {
  const router: Router = new Hono();
  const admission = createAdmission(hub, options);
  const pages = surfacePages(hub, options.version);
  const { mounts = [], log } = options;

  const fail: Fail = async (error, asked, name) => {
    const expected = expectedFailure(error, asked, log, name);
    if (expected?.code !== 'unauthorized') return errorReply(expected ?? unexpected());
    if (name === 'home' && prefersHtml(asked)) return renderLoginNeeded();
    return needsToken(expected);
  };

  for (const name of operationNames()) {
    router.on(
      api[name].method,
      routerPath(api[name].path),
      operationHandler(name, hub, { admission, pages, fail, log }),
    );
  }
  for (const mount of mounts) if (!isDirect(mount)) addMount(router, mount, admission, fail);
  router.notFound(async (c) => {
    const request = c.req.raw;
    try {
      await admission.know(request, 'agent');
      return rawResponse(unknownRoute(c.req.method, c.req.path));
    } catch (error) {
      return rawResponse(await fail(error, request));
    }
  });

  const direct = createDirect(mounts.filter(isDirect), admission, async (error, exchange) =>
    exchange.reply(await fail(error, exchange)),
  );
  return { fetch: (request, bindings) => router.fetch(request, bindings), direct };
}

interface Parts {
  admission: Admission;
  pages: Pages;
  fail: Fail;
  log: FailureLog;
}

function operationHandler(name: OperationName, hub: Hub, { admission, pages, fail, log }: Parts) {
  const operation: Operation = api[name];
  const { access } = operation;
  const read = compileInput(operation);
  const answer = compileAnswer(name, hub, pages);
  const onStreamError = (error: unknown): void => log.error({ err: error, operation: name }, 'stream failed');

  return async (c: HttpContext): Promise<Response> => {
    const request = c.req.raw;
    try {
      const known = await admission.know(request, access);
      const query = read.query(searchOf(request.url));
      const context = await admission.context(request, known, query);
      const input = await read.input(request, c.req.param(), query, c.env.incoming);
      return await answer(input, context, { request, closing: c.env.closing, onStreamError });
    } catch (error) {
      return rawResponse(await fail(error, request, name));
    }
  };
}

function addMount(router: Router, mount: Mount, admission: Admission, fail: Fail): void {
  for (const route of mount.routes) {
    const access = route.public ? 'public' : 'agent';
    router.all(routerPath(route.path), async (c) => {
      const request = c.req.raw;
      try {
        const context = await admission.toMount(request, access, c.req.param('agent'));
        return withSafeHeaders(await mount.handle(request, context));
      } catch (error) {
        return rawResponse(await fail(error, request));
      }
    });
  }
}

const needsToken = (error: ZooError): RawReply =>
  errorReply(error, { 'www-authenticate': 'Bearer realm="agent-zoo"' });

const operationNames = (): OperationName[] =>
  Object.keys(api).filter((name): name is OperationName => name in api);

const prefersHtml = ({ headers }: Asked): boolean => (headers.get('accept') ?? '').includes('text/html');

function surfacePages(hub: Hub, version: string): Pages {
  let openapi: string | undefined;
  return {
    openapi: async () => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: (openapi ??= renderOpenApi(version)),
    }),
    home: async (context, { request }) => {
      const { agents, total } = await hub.operations.listAgents({ limit: AGENTS_ON_PAGE }, context);
      return renderHome({ version, host: request.headers.get('host') ?? '', agents, total });
    },
  };
}
