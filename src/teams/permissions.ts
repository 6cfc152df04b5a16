import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { isInside, realPath } from '../platform/files/real-path.ts';
import type { Questions } from '../platform/store/questions.ts';
import type { Permission, PermissionRequest } from './harness.ts';
import { HubStopping } from './running/turn-runner.ts';
import type { Member, Team } from './state/team-state.ts';
import { isToolOfHub } from './team-tool-names.ts';

const PERMISSION_MS = 5 * 60_000;
/** A member that asks endlessly must not crowd out the questions of others. */
const MOST_OPEN = 10;
/** Characters of a request. A shortened one would hide what it allows. */
const MOST_SHOWN = 10_000;

const READING = new Set(['read', 'search', 'think']);
const WRITING = new Set(['edit', 'delete', 'move']);

export interface Permissions {
  permit(member: Member, team: Team, request: PermissionRequest, signal: AbortSignal): Promise<Permission>;
  /** The member has ended. */
  forget(member: string): void;
}

const ALLOWED: Permission = { isAllowed: true };
const denied = (reason: string): Permission => ({ isAllowed: false, reason });

/** Tools of the hub, and reads and writes inside the workspace are allowed; anything else is asked of the operator. */
export function createPermissions(questions: Questions, now: () => Date): Permissions {
  const open = new Map<string, number>();
  const ids = createQuestionIds();

  async function ask(
    member: Member,
    team: Team,
    request: PermissionRequest,
    signal: AbortSignal,
  ): Promise<Permission> {
    const { title, kind, paths } = request;
    const { id } = await questions.ask({
      id: ids.next(member, request),
      kind: 'permission',
      asker: { kind: 'member', id: member.id },
      workspace: team.workspace,
      agentId: member.agentId,
      title: `${member.name} of team ${team.name} wants to use: ${title}`,
      details: {
        teamId: team.id,
        team: team.name,
        member: member.name,
        tool: title,
        kind,
        paths: [...paths],
      },
      schema: {
        type: 'object',
        properties: {
          decision: { type: 'string', enum: ['allow', 'deny'] },
          reason: { type: 'string', description: 'Reason for denying; passed on to the member.' },
        },
        required: ['decision'],
      },
      expiresAt: new Date(now().getTime() + PERMISSION_MS),
    });
    try {
      const { status, answer } = await questions.settled(id, signal);
      if (status === 'answered') {
        if (answer?.['decision'] === 'allow') return ALLOWED;
        const reason = answer?.['reason'];
        return denied(`the user denied it${typeof reason === 'string' ? `: ${reason}` : ''}`);
      }
      return denied(`nobody answered within ${PERMISSION_MS / 60_000} minutes`);
    } catch (error) {
      // The next hub retries the turn, and finds the question with its answer.
      if (!(signal.reason instanceof HubStopping)) {
        await questions.withdraw({ kind: 'member', id: member.id });
      }
      throw error;
    }
  }

  const permit: Permissions['permit'] = async (member, team, request, signal) => {
    if (isToolOfHub(request)) return ALLOWED;
    const { kind, paths } = request;
    const folder = await realPath(member.folder);
    const real = await Promise.all(paths.map((path) => realPath(resolve(folder, path))));
    const inside = real.every((path) => isInside(folder, path));
    if (READING.has(kind) && inside) return ALLOWED;
    if (WRITING.has(kind) && paths.length > 0 && inside) {
      return member.role === 'reviewer' ? denied('reviewers do not change files') : ALLOWED;
    }
    if (request.title.length + paths.join('').length > MOST_SHOWN) {
      return denied('the request is too long for a person to read');
    }
    const before = open.get(team.id) ?? 0;
    if (before >= MOST_OPEN) return denied(`${MOST_OPEN} requests of the team already wait for an answer`);
    open.set(team.id, before + 1);
    try {
      return await ask(member, team, request, signal);
    } finally {
      const left = (open.get(team.id) ?? 1) - 1;
      if (left > 0) open.set(team.id, left);
      else open.delete(team.id);
    }
  };
  return { permit, forget: ids.forget };
}

/** Stable ids: a turn that is retried after a restart finds the question of its earlier request. */
function createQuestionIds() {
  const counts = new Map<string, { turn: string | null; asked: Map<string, number> }>();
  return {
    next({ id, turn }: Member, { title, kind, paths }: PermissionRequest): string {
      const known = counts.get(id);
      const current = known && known.turn === turn ? known : { turn, asked: new Map<string, number>() };
      counts.set(id, current);
      const request = JSON.stringify([id, turn, title, kind, paths]);
      const number = (current.asked.get(request) ?? 0) + 1;
      current.asked.set(request, number);
      return createHash('sha256').update(`${request} ${number}`).digest('hex').slice(0, 32);
    },
    forget: (member: string): void => void counts.delete(member),
  };
}
