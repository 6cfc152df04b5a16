import type { Agent } from '../src/contract/agent.ts';
import { completeDefinition } from '../src/registry/definition.ts';

/** For tests: an agent of the editor with the defaults of every field. */
export const plainAgent = (id: string): Agent => ({
  ...completeDefinition({ name: id }),
  id,
  source: 'editor',
  origin: null,
  revision: 0,
  createdAt: '2026-11-15T12:00:00.000Z',
  updatedAt: '2026-11-15T12:00:00.000Z',
});
