import type { CallContext } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import type { PromptDescriptor, PromptResult } from '../../contract/offers/prompt.ts';
import type {
  ResourceContents,
  ResourceDescriptor,
  ResourceTemplate,
} from '../../contract/offers/resource.ts';
import type { ToolCall, ToolDescriptor, ToolResult } from '../../contract/tool.ts';
import type { AgentDirectory } from '../agents/agent-directory.ts';
import type { SkillEntry } from '../agents/agent-skills.ts';
import type { AgentScopes } from '../tools/scopes.ts';
import type { ToolCalls } from '../tools/tool-calls.ts';
import type { Offer } from '../wing.ts';

/** Tools, prompts and resources for MCP clients, within each caller's scope. Lists have a stable order. */
export interface Offers {
  /** Everything in scope. */
  tools(context: CallContext): Promise<readonly ToolDescriptor[]>;
  /** The listed tools: all of them, or `find_tools` and `call_tool` if an agent has very many. */
  shownTools(context: CallContext): Promise<readonly ToolDescriptor[]>;
  /** Takes both forms of a name. */
  callTool(name: string, args: Record<string, unknown>, call: ToolCall): Promise<ToolResult>;
  prompts(context: CallContext): Promise<PromptDescriptor[]>;
  getPrompt(name: string, args: Readonly<Record<string, string>>, call: ToolCall): Promise<PromptResult>;
  completePrompt(
    name: string,
    argument: { name: string; value: string },
    context: CallContext,
  ): Promise<string[]>;
  resources(context: CallContext): Promise<ResourceDescriptor[]>;
  resourceTemplates(context: CallContext): Promise<ResourceTemplate[]>;
  /** Null when there is no such resource for this caller. */
  readResource(uri: string, context: CallContext): Promise<ResourceContents[] | null>;
  /** Watches changes that no event reports, until the returned function is called; null if there are none. */
  watchResource(uri: string, context: CallContext, onUpdated: () => void): Promise<(() => void) | null>;
  completeResource(
    uriTemplate: string,
    variable: { name: string; value: string },
    given: Readonly<Record<string, string>>,
    context: CallContext,
  ): Promise<string[]>;
  /** Every agent as a skill; its file is one of the resources. */
  skills(context: CallContext): Promise<SkillEntry[]>;
}

export interface OffersParts {
  directory: Pick<AgentDirectory, 'find'>;
  scopes: Pick<AgentScopes, 'toolsFor' | 'frontOf'>;
  calls: ToolCalls;
  skills: Offers['skills'];
  /** The offers of every wing, in order. */
  offers: readonly Offer[];
}

export function createOffers({ directory, scopes, calls, skills, offers }: OffersParts): Offers {
  const promptProviders = offers.flatMap(({ prompts }) => prompts ?? []);
  const resourceProviders = offers.flatMap(({ resources }) => resources ?? []);
  /** Callers of an agent in `tools` mode get its published tools and nothing else. */
  const unlessTools = async <T>(context: CallContext, closed: T, work: () => Promise<T>): Promise<T> =>
    (await scopes.frontOf(context)) ? closed : work();

  return {
    tools: (context) => scopes.toolsFor(context),
    shownTools: (context) => calls.shown(context),
    callTool: (name, args, call) => calls.call(name, args, call),

    prompts: (context) =>
      unlessTools(context, [], async () =>
        (await Promise.all(promptProviders.map((each) => each.list(context)))).flat(),
      ),

    async getPrompt(name, args, call) {
      const { agent } = call.context;
      const isClosed = (await scopes.frontOf(call.context)) !== null;
      const found = isClosed ? null : await firstOf(promptProviders, (each) => each.get(name, args, call));
      if (found) return found;
      if (agent !== null && (isClosed || agent !== name)) {
        throw new ZooError('out_of_scope', `Agent '${agent}' has no prompt '${name}'.`);
      }
      // Suggests the nearest id.
      await directory.find(name, call.context);
      throw new ZooError('agent_not_found', `Agent with ID '${name}' not found.`);
    },

    completePrompt: (name, argument, context) =>
      unlessTools(
        context,
        [],
        async () => (await firstOf(promptProviders, (each) => each.complete(name, argument, context))) ?? [],
      ),

    resources: (context) =>
      unlessTools(context, [], async () =>
        (await Promise.all(resourceProviders.map((each) => each.list(context)))).flat(),
      ),
    resourceTemplates: (context) =>
      unlessTools(context, [], async () =>
        (await Promise.all(resourceProviders.map((each) => each.templates(context)))).flat(),
      ),
    readResource: (uri, context) =>
      unlessTools(context, null, () => firstOf(resourceProviders, (each) => each.read(uri, context))),
    watchResource: (uri, context, onUpdated) =>
      unlessTools(context, null, () =>
        firstOf(resourceProviders, async (each) => (await each.watch?.(uri, context, onUpdated)) ?? null),
      ),
    completeResource: (uriTemplate, variable, given, context) =>
      unlessTools(
        context,
        [],
        async () =>
          (await firstOf(resourceProviders, (each) =>
            each.complete(uriTemplate, variable, given, context),
          )) ?? [],
      ),

    skills: (context) => unlessTools(context, [], () => skills(context)),
  };
}

async function firstOf<P, T>(
  providers: readonly P[],
  ask: (provider: P) => Promise<T | null>,
): Promise<T | null> {
  for (const provider of providers) {
    const answer = await ask(provider);
    if (answer !== null) return answer;
  }
  return null;
}
