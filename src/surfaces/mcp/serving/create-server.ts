import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import type { CallContext } from '../../../contract/call.ts';
import type { Hub } from '../../../hub/hub.ts';
import { serveCompletion } from './completion.ts';
import type { McpLog } from './error-form.ts';
import { HubServer } from './hub-server.ts';
import { CACHE, identityOf } from './identity.ts';
import { servePrompts } from './prompts.ts';
import type { RequestStates } from './request-state.ts';
import type { ResourceWatches } from '../changes/resource-watches.ts';
import { serveResources } from './resources.ts';
import type { Era, Served } from './served.ts';
import { serveSkills, SKILLS_EXTENSION } from './skills.ts';
import type { OpenRound } from './tool-call.ts';
import { serveTools } from './tools.ts';

/** Shared: the SDK would otherwise make one per server, and so one per request. */
const validator = new AjvJsonSchemaValidator();

export interface ServerOptions {
  era: Era;
  states: RequestStates;
  log: McpLog;
  watched?: Set<string>;
  watches?: ResourceWatches;
  /** The outcome of a call that was already made: questions to be sent. */
  round?: OpenRound;
}

/** The hub as one caller sees it, for one connection or one request: the same for every era and transport. */
export async function createServer(hub: Hub, context: CallContext, options: ServerOptions): Promise<Served> {
  const { era, states, log, watched = new Set(), watches = null } = options;
  const { info, instructions, toolsOnly } = await identityOf(hub, context);
  const server = new HubServer(info, {
    capabilities: {
      tools: { listChanged: true },
      logging: {},
      ...(toolsOnly
        ? {}
        : {
            prompts: { listChanged: true },
            resources: { listChanged: true, subscribe: true },
            completions: {},
            extensions: { [SKILLS_EXTENSION]: {} },
          }),
    },
    ...(instructions !== '' && { instructions }),
    cacheHints: {
      'tools/list': CACHE,
      'prompts/list': CACHE,
      'resources/list': CACHE,
      'resources/templates/list': CACHE,
      'server/discover': CACHE,
    },
    requestState: { verify: (state, ctx) => states.verify(state, ctx) },
    jsonSchemaValidator: validator,
  });
  const served: Served = {
    server,
    hub,
    era,
    toolsOnly,
    context: { ...context, surface: 'mcp' },
    states,
    log,
    logLevel: 'debug',
    watched,
    watches,
  };
  serveTools(served, options.round);
  if (toolsOnly) return served;
  servePrompts(served);
  serveResources(served);
  serveCompletion(served);
  serveSkills(served);
  return served;
}
