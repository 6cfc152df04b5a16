import type { Agent } from '../contract/agent.ts';
import type { ToolDescriptor } from '../contract/tool.ts';

export type Approval = 'allow' | 'ask' | 'deny';
type Rules = Pick<Agent, 'toolPermission' | 'toolApprovals'>;
type Named = Pick<ToolDescriptor, 'name' | 'displayName' | 'annotations'>;

/**
 * Whether a call needs approval. The agent's rule for this tool wins over its rule for all tools, which wins over the
 * tool's own annotations: read-only tools are allowed, all others need approval.
 */
export function approvalFor(tool: Named, { toolPermission, toolApprovals }: Rules): Approval {
  const said = ownValue(toolApprovals, tool.name) ?? ownValue(toolApprovals, tool.displayName);
  if (said) return said;
  if (toolPermission === 'always') return 'ask';
  if (toolPermission === 'never') return 'allow';
  return tool.annotations.readOnlyHint ? 'allow' : 'ask';
}

/** Where an agent is defined. Approvals of a chat do not count for another agent with the same id. */
export const definitionPlace = ({ source, origin }: Pick<Agent, 'source' | 'origin'>): string =>
  `${source} ${origin?.path ?? ''}`;

/** The tools of a run: nobody can be asked in a headless one, so it has only those that need no permission. */
export function offeredTools<T extends Named>(
  tools: readonly T[],
  rules: Rules,
  { headless }: { headless: boolean },
): T[] {
  return tools.filter((tool) => {
    const approval = approvalFor(tool, rules);
    return approval === 'allow' || (approval === 'ask' && !headless);
  });
}

function ownValue(rules: Readonly<Record<string, Approval>>, name: string): Approval | undefined {
  return Object.hasOwn(rules, name) ? rules[name] : undefined;
}
