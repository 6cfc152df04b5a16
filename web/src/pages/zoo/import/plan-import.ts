import type { Output } from '../../../../../src/contract/api.ts';
import type { FoundAgent } from '../../../../../src/contract/operations/files.ts';
import { call } from '../../../data/hub.ts';

/** How an agent of a file is imported. */
export type Act = 'create' | 'copy' | 'replace' | 'skip';

export interface PlannedAgent {
  key: string;
  found: FoundAgent;
  /** Why its id cannot be used; `twice` if another file has it too. */
  taken: FoundAgent['taken'] | 'twice';
  acts: readonly Act[];
}

export const actWords: Record<Act, string> = {
  create: 'Import',
  copy: 'Import under another id',
  replace: 'Replace the existing agent',
  skip: 'Skip',
};

export const takenWords: Record<NonNullable<PlannedAgent['taken']>, string> = {
  editor: 'An agent with this id is in the editor.',
  file: 'An agent with this id is served from a file.',
  deleted: 'A deleted agent has this id.',
  twice: 'Another of these files has the same id.',
};

/** The choices for every agent that was found; the first is made unless somebody chooses another. */
export function planImport({ agents }: Output<'readAgentFiles'>): PlannedAgent[] {
  const seen = new Set<string>();
  return agents.map((found, index) => {
    const isTwice = found.id !== null && seen.has(found.id);
    if (found.id !== null) seen.add(found.id);
    const taken = isTwice ? 'twice' : found.taken;
    return { key: String(index), found, taken, acts: actsFor(taken) };
  });
}

function actsFor(taken: PlannedAgent['taken']): readonly Act[] {
  if (taken === null) return ['create', 'skip'];
  return taken === 'editor' || taken === 'deleted' ? ['copy', 'replace', 'skip'] : ['copy', 'skip'];
}

/** Does it, and returns how to take it back. */
export async function importAgent({ found }: PlannedAgent, act: Act): Promise<() => Promise<unknown>> {
  const { id, input, taken } = found;
  if (act === 'replace' && id !== null) {
    if (taken === 'deleted') await call('undeleteAgent', { id });
    const { revision } = await call('replaceAgent', { id, body: input });
    if (taken === 'deleted') return () => call('deleteAgent', { id });
    return () => call('restoreAgent', { id, body: { revision: revision - 1 } });
  }
  const wanted = act === 'create' && id !== null ? { id } : {};
  const made = await call('createAgent', { body: { ...input, ...wanted } });
  return () => call('deleteAgent', { id: made.id });
}
