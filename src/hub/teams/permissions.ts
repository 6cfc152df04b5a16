import { resolve } from 'node:path';
import { isInside, realPath } from '../../platform/files/real-path.ts';
import type { Questions } from '../../platform/store/questions.ts';
import type { PermissionRequest } from '../../teams/harness.ts';
import type { Member, Team } from '../../teams/state/team-state.ts';

const PERMISSION_MS = 5 * 60_000;
/** A member that asks without end must not bury the questions of others. */
const MOST_OPEN = 10;

const READING = new Set(['read', 'search', 'think']);
const WRITING = new Set(['edit', 'delete', 'move']);

export type Permit = (
  member: Member,
  team: Team,
  request: PermissionRequest,
  signal: AbortSignal,
) => Promise<boolean>;

/** Reads and writes inside the workspace are allowed; anything else is asked of the operator. */
export function createPermit(questions: Questions, now: () => Date): Permit {
  const open = new Map<string, number>();
  async function ask(
    member: Member,
    team: Team,
    { title, kind, paths }: PermissionRequest,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { id } = await questions.ask({
      kind: 'permission',
      asker: { kind: 'member', id: member.id },
      workspace: team.workspace,
      agentId: member.agentId,
      title: `${member.name} of team ${team.name} wants to use: ${title}`,
      details: { team: team.name, member: member.name, tool: title, kind, paths: [...paths] },
      schema: {
        type: 'object',
        properties: { decision: { type: 'string', enum: ['allow', 'deny'] } },
        required: ['decision'],
      },
      expiresAt: new Date(now().getTime() + PERMISSION_MS),
    });
    const settled = await questions.settled(id, signal);
    return settled.status === 'answered' && settled.answer?.['decision'] === 'allow';
  }

  return async (member, team, request, signal) => {
    const { kind, paths } = request;
    const folder = await realPath(member.folder);
    const real = await Promise.all(paths.map((path) => realPath(resolve(folder, path))));
    const inside = real.every((path) => isInside(folder, path));
    if (READING.has(kind) && inside) return true;
    if (WRITING.has(kind) && paths.length > 0 && inside) return member.role !== 'reviewer';
    const before = open.get(team.id) ?? 0;
    if (before >= MOST_OPEN) return false;
    open.set(team.id, before + 1);
    try {
      return await ask(member, team, request, signal);
    } finally {
      const left = (open.get(team.id) ?? 1) - 1;
      if (left > 0) open.set(team.id, left);
      else open.delete(team.id);
    }
  };
}
