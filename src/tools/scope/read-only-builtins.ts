import { isClientTool } from './client-tools.ts';

/** Agents of a workspace that was not approved get these at most. A test keeps the list equal to the catalogue. */
export const READ_ONLY_BUILTINS: ReadonlySet<string> = new Set([
  'agent_zoo_get_agent',
  'agent_zoo_inject',
  'agent_zoo_list_agents',
  'agent_zoo_query_brain_entries',
  'get',
  'search',
  'sources',
]);

/**
 * Entries of an agent's `tools` that only an approved workspace may grant. `groups` are those of its config: a group
 * may have the name of a built-in and mean more. With `unasked`, the agent calls tools without asking: then those of
 * its client are among them.
 */
export function entriesToApprove(
  tools: readonly string[] | null,
  groups: Readonly<Record<string, unknown>>,
  { unasked = false }: { unasked?: boolean } = {},
): string[] {
  const isHarmless = (entry: string): boolean =>
    unasked ? READ_ONLY_BUILTINS.has(entry) : needsNoApproval(entry);
  return (tools ?? []).filter(
    (entry) => !entry.startsWith('!') && (Object.hasOwn(groups, entry) || !isHarmless(entry)),
  );
}

/** Names that grant nothing of the hub but read-only built-ins, in an agent of a workspace. */
export function needsNoApproval(entry: string): boolean {
  return READ_ONLY_BUILTINS.has(entry) || isClientTool(entry);
}
