import { type CallContext, refuseExhausted } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import type { Tool, ToolCall, ToolDescriptor, ToolResult } from '../../contract/tool.ts';
import { nearest } from '../../contract/nearest.ts';
import type { Activity } from '../../tools/activity/activity.ts';
import { type Catalogue, toolNotFound } from '../../tools/catalogue/catalogue.ts';
import { createMechanisms } from '../../tools/catalogue/mechanisms.ts';
import type { Scope } from '../../tools/scope/scope.ts';
import { validateArguments } from '../../tools/validate-arguments.ts';
import type { AgentDirectory } from '../agents/agent-directory.ts';
import { withRequestHash } from '../base/hash-requests.ts';
import type { View } from '../workspaces/view.ts';
import { nearestTool } from '../../tools/catalogue/unknown-tool.ts';
import type { AgentScopes } from './scopes.ts';

/** All tool calls go through here: the caller's scope is checked, and the call is recorded. */
export interface ToolCalls {
  /** The listed tools: all in scope, or `find_tools` and `call_tool` if an agent has very many. */
  shown(context: CallContext): Promise<readonly ToolDescriptor[]>;
  /** All of them, also if an agent has very many. */
  inScope(context: CallContext): Promise<readonly ToolDescriptor[]>;
  /** Takes both forms of a name. */
  call(name: string, args: Record<string, unknown>, call: ToolCall): Promise<ToolResult>;
}

export function createToolCalls(
  directory: Pick<AgentDirectory, 'find' | 'view'>,
  scopes: AgentScopes,
  activity: Activity,
): ToolCalls {
  /** Throws for a tool that the caller does not have. */
  async function findInScope(
    name: string,
    context: CallContext,
  ): Promise<{ tool: Tool; catalogue: Catalogue }> {
    const view = await directory.view(context.workspace);
    const known = await scopes.catalogueOf(view);
    const front = await scopes.frontOf(context);
    if (front) return { tool: findInFront(name, front, context), catalogue: known };
    const isLate = !known.find(name) && (await awaitTool(name, view, context));
    const catalogue = isLate ? await scopes.catalogueOf(view) : known;
    const tool = catalogue.find(name);
    if (context.agent === null) {
      const hidden = tool?.edits && !view.editing();
      if (!tool || hidden) throw toolNotFound(name, nearestTool(name, catalogue), scopes.absence(name, view));
    } else {
      const { agent } = await directory.find(context.agent, context);
      const scope = scopes.scopeFor(agent, view, catalogue);
      if (!tool || !scope.includes(tool.descriptor)) {
        const why = scopes.absence(name, view);
        throw refusal(context.agent, name, { scope, catalogue, why });
      }
    }
    return { tool, catalogue };
  }

  /** No server is started for a tool that the caller may not call. */
  async function awaitTool(name: string, view: View, context: CallContext): Promise<boolean> {
    const scope = context.agent === null ? null : await scopes.scopeOf(context.agent, context);
    if (context.agent !== null) {
      const { owner } = await directory.find(context.agent, context);
      if (!view.grantsTools(owner)) return false;
    }
    return scopes.awaitTool(name, view, (written) => scope?.explain(written).allowed ?? true);
  }

  async function callInScope(
    name: string,
    args: Record<string, unknown>,
    call: ToolCall,
  ): Promise<ToolResult> {
    const noted = { name, displayName: name };
    const context = withRequestHash(call.context, name, args);
    return activity.watch(noted, args, call, async () => {
      refuseExhausted(context);
      const { tool, catalogue } = await findInScope(name, context);
      noted.name = tool.descriptor.name;
      noted.displayName = tool.descriptor.displayName;
      return catalogue.call(tool, args, context === call.context ? call : { ...call, context });
    });
  }

  const mechanisms = createMechanisms({
    list: ({ context }) => scopes.toolsFor(context),
    call: callInScope,
  });

  return {
    inScope: scopes.toolsFor,
    async shown(context) {
      const tools = await scopes.toolsFor(context);
      const view = await directory.view(context.workspace);
      const many = context.agent !== null && tools.length > view.searchAbove();
      if (!many || (await scopes.frontOf(context))) return tools;
      const beside = scopes.beside().map(({ descriptor }) => descriptor);
      return [
        ...mechanisms.map(({ descriptor }) => descriptor),
        ...beside.filter((descriptor) => tools.includes(descriptor)),
      ];
    },

    async call(name, args, call) {
      const standing = [...mechanisms, ...scopes.beside()];
      const mechanism = standing.find(({ descriptor }) => descriptor.name === name);
      if (!mechanism) return callInScope(name, args, call);
      const { descriptor } = mechanism;
      // Calls through `call_tool` are recorded under the called tool.
      const fits = name === 'call_tool' && (await validateArguments(descriptor, args).catch(() => null));
      if (fits) return mechanism.execute(fits, call);
      return activity.watch(descriptor, args, call, async () =>
        mechanism.execute(await validateArguments(descriptor, args), call),
      );
    },
  };
}

function findInFront(name: string, front: readonly Tool[], { agent }: CallContext): Tool {
  const tool = front.find(({ descriptor }) => descriptor.name === name);
  if (tool) return tool;
  const names = front.map(({ descriptor }) => descriptor.name);
  const near = nearest(name, names);
  throw new ZooError(
    'out_of_scope',
    `Agent '${agent ?? ''}' publishes no tool '${name}'. It publishes: ${names.join(', ') || 'nothing'}.${near === null ? '' : ` Did you mean '${near}'?`}`,
    { inScope: names },
  );
}

const NAMES_IN_REFUSAL = 20;

/** Reveals no more about a tool out of scope than about one that does not exist. */
function refusal(
  agent: string,
  name: string,
  { scope, catalogue, why }: { scope: Scope; catalogue: Catalogue; why: string | null },
): ZooError {
  const { granted } = scope;
  const isAway = !catalogue.find(name) && scope.explain(name).allowed;
  if (isAway) return toolNotFound(name, nearest(name, granted), why);
  const shown = granted.slice(0, NAMES_IN_REFUSAL);
  const rest = granted.length - shown.length;
  const list = granted.length === 0 ? 'nothing' : shown.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
  return new ZooError('out_of_scope', `Agent '${agent}' may not call '${name}'. In its scope: ${list}.`, {
    inScope: shown,
    total: granted.length,
  });
}
