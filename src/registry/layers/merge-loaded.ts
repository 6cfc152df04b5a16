import type { Diagnostic } from '../../contract/diagnostic.ts';
import { diagnose } from '../../platform/config/diagnose.ts';
import type { FileLoaded } from '../file-source.ts';
import type { LastGood } from './last-good.ts';
import type { Loaded, SourcedAgent } from '../source.ts';

/** The agents that are right, the last good versions of those that are not, and of two with one id the first. */
export function mergeLoaded(
  loaded: readonly FileLoaded[],
  lastGood: Pick<LastGood, 'recall' | 'withTimes'>,
  owner: string | null,
  ofConfig: readonly Diagnostic[],
): Loaded {
  const merged: Loaded = { agents: [], diagnostics: [] };
  let diagnostics = [...ofConfig];
  for (const source of loaded) {
    diagnostics.push(...source.diagnostics);
    const right = source.agents.map((one) => ({ ...one, agent: lastGood.withTimes(one.agent) }));
    const revived = source.failed.flatMap((failure) => {
      const agents = revive(failure, right, lastGood, owner);
      diagnostics = diagnostics.map((diagnostic) => withHint(diagnostic, failure, agents));
      return agents;
    });
    const { agents, duplicates } = firstOfEach([...right, ...revived]);
    merged.agents.push(...agents);
    diagnostics.push(...duplicates);
  }
  return { ...merged, diagnostics };
}

type Failure = FileLoaded['failed'][number];

function revive(
  { file, agentId, program }: Failure,
  right: readonly SourcedAgent[],
  lastGood: Pick<LastGood, 'recall'>,
  owner: string | null,
): SourcedAgent[] {
  return (
    lastGood
      .recall(file)
      .filter(({ id }) => agentId === null || id === agentId)
      .filter(({ id }) => !right.some(({ agent }) => agent.id === id && agent.origin?.path === file))
      // Its line was in another version of the file.
      .map((agent) => ({
        agent: { ...agent, origin: { path: file } },
        owner,
        trusted: true,
        ...(program ? { program } : {}),
      }))
  );
}

function withHint(
  diagnostic: Diagnostic,
  { file, agentId }: Failure,
  revived: readonly SourcedAgent[],
): Diagnostic {
  const { severity, file: at, agentId: about } = diagnostic;
  const [first, ...others] = revived;
  if (!first || severity !== 'error' || at !== file || (agentId !== null && about !== agentId))
    return diagnostic;
  if (others.length > 0) {
    const names = revived.map(({ agent }) => agent.id).join(', ');
    return {
      ...diagnostic,
      hint: `Serving the last good version of its ${revived.length} agents: ${names}.`,
    };
  }
  const { id, updatedAt } = first.agent;
  if (first.program?.broken)
    return {
      ...diagnostic,
      agentId: id,
      hint: `${id} is listed as it was at ${updatedAt}, and cannot be asked until this is put right.`,
    };
  return { ...diagnostic, agentId: id, hint: `Serving the last good version of ${id}, from ${updatedAt}.` };
}

function firstOfEach(all: readonly SourcedAgent[]): { agents: SourcedAgent[]; duplicates: Diagnostic[] } {
  const pathOf = ({ agent }: SourcedAgent) => agent.origin?.path ?? '';
  const winners = new Map<string, SourcedAgent>();
  const duplicates: Diagnostic[] = [];
  for (const one of all.toSorted((a, b) => (pathOf(a) < pathOf(b) ? -1 : pathOf(a) > pathOf(b) ? 1 : 0))) {
    const { id, origin } = one.agent;
    const winner = winners.get(id);
    if (!winner) {
      winners.set(id, one);
      continue;
    }
    duplicates.push(
      diagnose(
        'warning',
        'duplicate-id',
        `two agents have the id ${id}: ${pathOf(winner)} is used, ${pathOf(one)} is not`,
        {
          file: pathOf(one),
          line: origin?.line ?? null,
          hint: 'Rename one of them.',
          agentId: id,
        },
      ),
    );
  }
  return { agents: [...winners.values()], duplicates };
}
