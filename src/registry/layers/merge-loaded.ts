import { relative } from 'node:path';
import type { Agent } from '../../contract/agent.ts';
import type { Diagnostic } from '../../contract/diagnostic.ts';
import { diagnose } from '../../platform/config/diagnose.ts';
import type { FileLoaded } from '../file-source.ts';
import type { LastGood } from './last-good.ts';
import { undeclaredPlaceholders } from '../resolve.ts';
import type { Loaded, SourcedAgent } from '../source.ts';

/** Merges valid agents and the last good versions of broken ones; of two with the same id, the first wins. */
export function mergeLoaded(
  loaded: readonly FileLoaded[],
  lastGood: Pick<LastGood, 'recall' | 'withTimes'>,
  { owner, folder }: { owner: string | null; folder: string },
  ofConfig: readonly Diagnostic[],
): Loaded {
  const merged: Loaded = { agents: [], diagnostics: [] };
  let diagnostics = [...ofConfig];
  for (const source of loaded) {
    diagnostics.push(...source.diagnostics);
    const right = source.agents.map((one) => ({ ...one, agent: lastGood.withTimes(one.agent) }));
    const revived = source.failed.flatMap((failure) => {
      const agents = revive(failure, right, lastGood, owner);
      const why = diagnostics.find((one) => one.severity === 'error' && concerns(one, failure));
      diagnostics = diagnostics.map((diagnostic) => withHint(diagnostic, failure, agents));
      return agents.map((one) => (why ? { ...one, stale: staleWarning(one.agent, why, folder) } : one));
    });
    const { agents, duplicates } = firstOfEach([...right, ...revived]);
    merged.agents.push(...agents);
    diagnostics.push(...duplicates, ...agents.flatMap(diagnosePlaceholders));
  }
  return { ...merged, diagnostics };
}

type Failure = FileLoaded['failed'][number];

/** A missing script file is reported in the config, under the agent's id. */
const concerns = ({ file, agentId }: Diagnostic, failure: Failure): boolean =>
  failure.agentId === null ? file === failure.file : agentId === failure.agentId;

/** The warning for callers of an agent whose file is broken. */
export function staleWarning(
  { id, updatedAt }: Pick<Agent, 'id' | 'updatedAt'>,
  { file, line, message }: Pick<Diagnostic, 'file' | 'line' | 'message'>,
  folder: string,
): string {
  const place = file === null ? '' : `${relative(folder, file)}${line === null ? '' : `:${line}`}: `;
  return `${place}${message}. This is the last good version of '${id}', from ${updatedAt}.`;
}

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
      // The line number is from another version of the file.
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
      hint: `${id} is listed as of ${updatedAt}, but cannot be resolved until this is fixed.`,
    };
  return { ...diagnostic, agentId: id, hint: `Serving the last good version of ${id}, from ${updatedAt}.` };
}

function diagnosePlaceholders({ agent }: SourcedAgent): Diagnostic[] {
  const { path: file = null, line = null } = agent.origin ?? {};
  return undeclaredPlaceholders(agent).map((message) =>
    diagnose('warning', 'unknown-argument', message, { file, line, agentId: agent.id }),
  );
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
