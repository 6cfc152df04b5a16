import type { AgentSummary } from '../../contract/agent.ts';
import type { Diagnostic } from '../../contract/diagnostic.ts';
import { diagnose } from '../../platform/config/diagnose.ts';
import type { Catalogue } from '../../tools/catalogue/catalogue.ts';
import { isClientTool } from '../../tools/scope/client-tools.ts';
import { describeUnknown } from '../../tools/catalogue/unknown-tool.ts';
import { type AgentScopes, ownerOf } from './scopes.ts';
import { groupPlace, toolsEntryLine } from './scope-places.ts';
import type { View } from '../workspaces/view.ts';

export async function diagnoseTools(view: View, scopes: AgentScopes): Promise<Diagnostic[]> {
  const catalogue = await scopes.catalogueOf(view);
  const agents = await view.registry.list();
  return [
    ...catalogue.conflicts.map(toConflict),
    ...diagnoseGroups(view, scopes, catalogue),
    ...agents.flatMap((agent) => diagnoseAgent(agent, view, scopes, catalogue)),
  ];
}

function toConflict({ loser, winner }: Catalogue['conflicts'][number]): Diagnostic {
  const who = (tool: { origin: string; displayName: string }) => `'${tool.displayName}' (${tool.origin})`;
  const why = winner ? `${who(winner)} has the same name` : 'this name is reserved';
  return diagnose('warning', 'duplicate-tool', `the tool ${who(loser)} is not offered: ${why}`, {
    file: null,
    hint: 'Rename it. The order is: built-in tools, scripts, published tools, upstream servers.',
  });
}

function diagnoseGroups(view: View, scopes: AgentScopes, catalogue: Catalogue): Diagnostic[] {
  const { owner } = view.layer;
  const groups = view.toolGroups(owner);
  const all = scopes.scopesOf(owner, view, catalogue);
  const absence = (name: string) => scopes.absence(name, view);
  const cycles = all.problems.map(({ group, entry, index, why }) => {
    const what = why === 'cycle' ? 'refers back to it' : 'is nested too deeply';
    const message = `tools.groups.${group}: the group '${entry.replace(/^!/, '')}' ${what} and is ignored`;
    return diagnose('warning', 'group-cycle', message, groupPlace(view, owner, group, index));
  });
  const others = Object.entries(groups).flatMap(([group, list]) => {
    const unknown = all.expand(list).unknown.map((entry) => {
      const message = `tools.groups.${group}: ${describeUnknown(entry, catalogue, absence)}`;
      const place = groupPlace(view, owner, group, list.indexOf(entry));
      return diagnose('note', 'unknown-tool', message, { ...place, hint: LATER });
    });
    if (!catalogue.find(group)) return unknown;
    const message = `the group '${group}' has the name of a tool: in lists of tools it means the group`;
    const place = groupPlace(view, owner, group, null);
    return [
      diagnose('warning', 'duplicate-tool', message, { ...place, hint: 'Rename the group.' }),
      ...unknown,
    ];
  });
  return [...cycles, ...others];
}

const LATER = 'The agent gets the tool if it becomes available.';

function diagnoseAgent(
  agent: AgentSummary,
  view: View,
  scopes: AgentScopes,
  catalogue: Catalogue,
): Diagnostic[] {
  // Any unknown name in a Markdown agent may be a tool of its client.
  if (agent.source === 'markdown') return [];
  const unknown = scopes.listedScope(agent, view, catalogue).unknown.filter((entry) => !isClientTool(entry));
  return unknown.map((entry) => {
    const taken = entry.startsWith('!');
    const absence = (name: string) => scopes.absence(name, view);
    const message = `agent '${agent.id}': ${describeUnknown(entry, catalogue, absence)}`;
    return diagnose(taken ? 'warning' : 'note', 'unknown-tool', message, {
      file: agent.origin?.path ?? null,
      line: toolsEntryLine(view, agent, agent.tools?.indexOf(entry) ?? 0) ?? agent.origin?.line ?? null,
      hint: taken ? 'The tool it was meant to exclude is still granted.' : LATER,
      agentId: agent.id,
      workspace: ownerOf(agent, view),
    });
  });
}
