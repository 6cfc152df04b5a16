import type { Agent } from '../../contract/agent.ts';
import type { Implements } from '../../contract/api.ts';
import type { CallContext } from '../../contract/call.ts';
import type { ScopePreview, ScopeStep } from '../../contract/scope.ts';
import { RESERVED_TOOL_NAMES } from '../../tools/catalogue/catalogue.ts';
import type { ScopeReason } from '../../tools/scope/scope.ts';
import type { AgentDirectory } from '../agents/agent-directory.ts';
import type { Prices } from './prices.ts';
import { groupPlace, rulePlace } from './scope-places.ts';
import { nearestTool } from '../../tools/catalogue/unknown-tool.ts';
import type { AgentScopes } from './scopes.ts';

/** How many revisions are searched for the last change of an agent's tools. */
const REVISIONS = 1000;

const WAITS =
  'its workspace is not approved, so its agents get read-only built-ins at most; `zoo trust` approves it';

interface Parts {
  directory: AgentDirectory;
  scopes: AgentScopes;
  prices: Prices;
}

export function implementScope({ directory, scopes, prices }: Parts): Implements<'scope'> {
  return {
    async getScope({ id }, context) {
      const { agent } = await directory.find(id, context);
      const view = await directory.view(context.workspace);
      const catalogue = await scopes.catalogueOf(view);
      const scope = scopes.scopeFor(agent, view, catalogue);
      const { clientTools } = scopes.grantedTools(agent, view, catalogue);
      const [tokens, summary] = await Promise.all([
        prices.tools(scope.available),
        view.registry.list().then((all) => all.find((each) => each.id === id)),
      ]);
      const [price] = summary ? await prices.agents([summary], view) : [];
      return {
        agentId: id,
        declared: agent.tools,
        tools: scope.available.map(({ name, displayName, description, origin }, index) => ({
          name,
          displayName,
          description,
          origin,
          tokens: tokens[index] ?? 0,
          rule: scope.explain(name).rule,
        })),
        unknown: scopes
          .listedScope(agent, view, catalogue)
          .unknown.filter((entry) => !clientTools.includes(entry)),
        clientTools,
        searched: scope.available.length > view.searchAbove(),
        tokens: price ?? { prompt: 0, tools: 0 },
      };
    },

    previewScope: ({ id, body: { tools } }, context) => preview(id, tools, context, { directory, scopes }),

    async explainScope({ id, tool: asked }, context) {
      const { agent, owner } = await directory.find(id, context);
      const view = await directory.view(context.workspace);
      const catalogue = await scopes.catalogueOf(view);
      const scope = scopes.scopeFor(agent, view, catalogue);
      const tool = catalogue.find(asked);
      const hidden = tool?.edits === true && !view.editing();
      const reason = scopes.listedScope(agent, view, catalogue).explain(asked);
      const waits = tool !== undefined && reason.allowed && !scope.includes(tool.descriptor) && !hidden;
      const { clientTools } = scopes.grantedTools(agent, view, catalogue);
      const ofClient = clientTools.find((entry) => entry === asked || entry.startsWith(`${asked}(`));
      const isOfClient = tool === undefined && ofClient !== undefined;
      const near = tool || isOfClient ? null : nearestTool(asked, catalogue);
      const place = await rulePlace(view, agent, reason.index, (of) =>
        directory.store.history(of, { limit: REVISIONS }),
      );
      const via: ScopeStep[] = reason.via.map(({ group, entry, index }) => {
        const { file, line } = groupPlace(view, owner, group, index);
        return { group, entry, place: { file, line, revision: null } };
      });
      return {
        agentId: id,
        tool: tool?.descriptor.name ?? asked,
        displayName: tool?.descriptor.displayName ?? asked,
        exists: tool !== undefined && !hidden,
        allowed: isOfClient || (tool !== undefined && scope.includes(tool.descriptor) && !hidden),
        because: hidden
          ? 'a config says `[mcp] editing = false`, which hides the tools that edit agents'
          : RESERVED_TOOL_NAMES.has(asked)
            ? 'it is not a tool of its own, but gives agents with many tools access to those in their scope'
            : waits
              ? WAITS
              : isOfClient
                ? `it is one of the client's own tools: '${ofClient}' is passed on, and the client decides`
                : sentence(
                    agent,
                    reason,
                    tool ? null : (scopes.absence(asked, view) ?? 'there is no such tool'),
                  ),
        rule: reason.rule,
        place,
        via,
        nearest: near,
      };
    },
  };
}

/** The scope of an agent as it would be with another list. */
async function preview(
  id: string,
  tools: string[] | null,
  context: CallContext,
  { directory, scopes }: Pick<Parts, 'directory' | 'scopes'>,
): Promise<ScopePreview> {
  const { agent, owner } = await directory.find(id, context);
  const draft = { ...agent, tools };
  const view = await directory.view(context.workspace);
  const catalogue = await scopes.catalogueOf(view);
  const scope = scopes.scopeFor(draft, view, catalogue);
  const listed = scopes.listedScope(draft, view, catalogue);
  const { clientTools } = scopes.grantedTools(draft, view, catalogue);
  const ofOwner = scopes.scopesOf(owner, view, catalogue);
  return {
    agentId: id,
    tools: catalogue.descriptors({ editing: view.editing() }).map((tool) => {
      const allowed = scope.includes(tool);
      const reason = listed.explain(tool.name);
      const because = reason.allowed && !allowed ? WAITS : sentence(draft, reason, null);
      return { name: tool.name, allowed, rule: reason.rule, because };
    }),
    unknown: listed.unknown.filter((entry) => !clientTools.includes(entry)),
    clientTools,
    groups: Object.keys(view.toolGroups(owner)).map((name) => ({
      name,
      tools: ofOwner.expand([name]).granted.length,
    })),
    searchAbove: view.searchAbove(),
  };
}

/** `missing` is why the tool is not there; null for one that is. */
function sentence({ tools }: Agent, { allowed, rule, via }: ScopeReason, missing: string | null): string {
  const through = via.map(({ group, entry }) => `the group '${group}' has '${entry}'`).join(', and ');
  const by = rule === null ? '' : through ? `'${rule}': ${through}` : `'${rule}'`;
  if (rule !== null && !allowed) return `it is excluded by ${by}`;
  if (missing !== null) return rule === null ? missing : `it would be granted by ${by}, but ${missing}`;
  if (rule !== null) return `it is granted by ${by}`;
  if (tools === null) {
    return allowed
      ? 'the agent has no `tools` list and therefore the read-only built-in tools'
      : 'the agent has no `tools` list and therefore the read-only built-in tools, and this is not one of them';
  }
  return tools.length === 0 ? 'its `tools` list is empty' : 'no entry of its `tools` list matches it';
}
