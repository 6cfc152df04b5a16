import type { Readable } from 'node:stream';
import { type Context, Hono } from 'hono';
import { type OperationName, api } from '../../contract/api.ts';
import type { CallContext } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import type { Operation } from '../../contract/table/operation.ts';
import type { Hub } from '../../hub/hub.ts';
import { type Pages, compileAnswer, rawResponse } from './answer.ts';
import { ANONYMOUS, admit, contextFor, createIdentify } from './caller.ts';
import { errorReply, unexpected } from './error-reply.ts';
import { createGuard } from './guard.ts';
import { BARE_HEADERS } from './headers.ts';
import { compileInput } from './input.ts';
import { compileQuery } from './query.ts';
import { renderOpenApi } from './openapi.ts';
import { renderHome, renderLoginNeeded } from './page.ts';
import { unknownRoute } from './unknown-route.ts';

const AGENTS_ON_PAGE = 60;

export interface HttpOptions {
  /** False makes every caller the operator; whoever says so sees to it that only this machine can call. */
  auth: boolean;
  /** Names besides those of loopback under which the hub may be asked. */
  allowedHosts: readonly string[];
  log: { error(details: object, message: string): void };
  version: string;
  mounts?: readonly Mount[];
}

/** A protocol of its own below a path, and below that path for each agent. It gets requests whose sender is known. */
export interface Mount {
  path: `/${string}`;
  handle(request: Request, context: CallContext): Promise<Response>;
}

/** What a server tells the app with each request. */
export interface HttpBindings {
  closing?: AbortSignal;
  /** The request as Node has it. */
  incoming?: Readable;
}
export type HttpApp = Hono<{ Bindings: HttpBindings }>;
type HttpContext = Context<{ Bindings: HttpBindings }>;

/**
 * The table of operations over HTTP. Each route has one handler and no middleware: what can be worked out
 * beforehand is, and a request then costs little more than its operation.
 */
export function createHttpApp(hub: Hub, options: HttpOptions): HttpApp {
  const app: HttpApp = new Hono();
  const guard = createGuard(options.allowedHosts);
  const identify = createIdentify(hub, options.auth);
  const pages = surfacePages(hub, options.version);

  const failed = async (error: unknown, c: HttpContext, name?: OperationName): Promise<Response> => {
    if (error instanceof ZooError && error.code !== 'internal') {
      if (error.code !== 'unauthorized') return errorReply(error);
      if (name === 'home' && prefersHtml(c.req.raw.headers)) return rawResponse(await renderLoginNeeded());
      return errorReply(error, { 'www-authenticate': 'Bearer realm="agent-zoo"' });
    }
    // Nobody is there to be answered, and breaking off is what an operation should do then.
    if (!c.req.raw.signal.aborted) {
      options.log.error(
        { err: error, operation: name, method: c.req.method, path: c.req.path },
        'request failed',
      );
    }
    return errorReply(unexpected());
  };

  for (const name of operationNames()) {
    const operation: Operation = api[name];
    const { access } = operation;
    const read = compileInput(operation);
    const answer = compileAnswer(name, hub, pages);
    const onStreamError = (error: unknown): void =>
      options.log.error({ err: error, operation: name }, 'stream failed');

    app.on(operation.method, honoPath(operation.path), async (c) => {
      const request = c.req.raw;
      try {
        guard(request.headers);
        const known = access === 'public' ? ANONYMOUS : await identify(request);
        admit(access, known.identity);
        const query = read.query(searchOf(request.url));
        const context = await contextFor(hub, known, query, request);
        const input = await read.input(request, c.req.param(), query, c.env.incoming);
        return await answer(input, context, { request, closing: c.env.closing, onStreamError });
      } catch (error) {
        return failed(error, c, name);
      }
    });
  }

  for (const mount of options.mounts ?? []) {
    const read = compileQuery(undefined);
    const answer = async (c: HttpContext, named: string | undefined): Promise<Response> => {
      const request = c.req.raw;
      try {
        guard(request.headers);
        const known = await identify(request);
        const asked = read(searchOf(request.url));
        const query = { ...asked, agent: named ?? asked.agent };
        if (query.agent === undefined) admit('operator', known.identity);
        return withSafeHeaders(await mount.handle(request, await contextFor(hub, known, query, request)));
      } catch (error) {
        return failed(error, c);
      }
    };
    app.all(mount.path, (c) => answer(c, undefined));
    app.all(`${mount.path}/:agent`, (c) => answer(c, c.req.param('agent')));
  }

  app.notFound(async (c) => {
    try {
      guard(c.req.raw.headers);
      await identify(c.req.raw);
      return unknownRoute(c.req.method, c.req.path);
    } catch (error) {
      return failed(error, c);
    }
  });
  return app;
}

const operationNames = (): OperationName[] =>
  Object.keys(api).filter((name): name is OperationName => name in api);

const honoPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

function searchOf(url: string): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at + 1);
}

const prefersHtml = (headers: Headers): boolean => (headers.get('accept') ?? '').includes('text/html');

/** What is mounted makes answers of its own. */
function withSafeHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(BARE_HEADERS)) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  return response;
}

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
