import type { GroupName, OperationName } from './api.ts';
import type { Operation } from './operation.ts';
import { wire } from './wire.ts';

const loaders: Record<GroupName, () => Promise<Record<string, Operation>>> = {
  hub: async () => (await import('./operations/hub.ts')).hubOperations,
  agents: async () => (await import('./operations/agents.ts')).agentOperations,
  parts: async () => (await import('./operations/parts.ts')).partOperations,
  brain: async () => (await import('./operations/brain.ts')).brainOperations,
  prompts: async () => (await import('./operations/prompts.ts')).promptOperations,
  tools: async () => (await import('./operations/tools.ts')).toolOperations,
  scope: async () => (await import('./operations/scope.ts')).scopeOperations,
  activity: async () => (await import('./operations/activity.ts')).activityOperations,
  upstreams: async () => (await import('./operations/upstreams.ts')).upstreamOperations,
  knowledge: async () => (await import('./operations/knowledge.ts')).knowledgeOperations,
};

/** One entry of the table, for whoever does not need all of them: most of the time that a command takes to start goes into schemas. */
export async function loadOperation(name: OperationName): Promise<Operation> {
  const group = await loaders[wire[name].group]();
  const found = group[name];
  if (!found) throw new Error(`the group of ${name} does not have it`);
  return found;
}
