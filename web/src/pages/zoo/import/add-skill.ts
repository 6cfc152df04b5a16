import type { FoundSkill } from '../../../../../src/contract/operations/files.ts';
import { call } from '../../../data/hub.ts';

/**
 * Adds the skill to the agent, and the tools that it may use if the agent has a list of its own. Returns how to take it
 * back.
 */
export async function addSkill(id: string, skill: FoundSkill): Promise<() => Promise<unknown>> {
  const { name, description, allowedTools } = skill;
  const { id: skillId } = await call('createSkill', { id, body: { name, description } });
  const { tools } = await call('getAgent', { id });
  const missing = tools === null ? [] : allowedTools.filter((tool) => !tools.includes(tool));
  if (tools !== null && missing.length > 0) {
    await call('patchAgent', { id, body: { tools: [...tools, ...missing] } });
  }
  return async () => {
    await call('deleteSkill', { id, skillId });
    if (missing.length === 0) return;
    const { tools: now } = await call('getAgent', { id });
    const left = now?.filter((tool) => !missing.includes(tool)) ?? null;
    await call('patchAgent', { id, body: { tools: left } });
  };
}
