import type { TeamDetails, TeamMessage, TeamTurn } from '../../src/contract/team.ts';
import { type Attempt, attemptsIn } from './prompt-oracle.ts';
import type { Seen } from './team-stage.ts';

export type Request = <T>(path: string, body?: object) => Promise<T>;

/** What the hub says about a team that has come to rest. */
interface Recorded {
  messages: TeamMessage[];
  members: TeamDetails['members'];
  turns: TeamTurn[];
}

/** An attempt that the hub recorded as the successful one of its turn. */
type Success = Attempt & { turn: string };

/** Messages, members and turns of a team that were lost or doubled, by what its members really saw. */
export async function faultsIn(
  request: Request,
  id: string,
  seen: readonly Seen[],
  accepted: readonly string[],
): Promise<string[]> {
  const { messages, members, turns } = await readTeam(request, id);
  const attempts = attemptsIn(seen);
  const faults: string[] = [];
  const successes = turns.flatMap(({ id: turn, state, prompt }) => {
    if (state !== 'ok' || prompt === null) return [];
    // Retries of a turn may have the same prompt; the last one counts.
    const attempt = attempts.findLast((each) => each.prompt.endsWith(prompt));
    if (attempt?.isFinished) return [{ ...attempt, turn }];
    faults.push(`turn ${turn}: ok, but its member ${attempt ? 'did not finish it' : 'never saw it'}`);
    return [];
  });
  const known = new Set(messages.map((message) => message.id));
  for (const each of accepted) if (!known.has(each)) faults.push(`accepted message ${each}: not stored`);
  const ended = new Set(members.filter(({ state }) => OVER.has(state)).map(({ name }) => name));
  for (const message of messages.filter(({ to }) => to !== 'user')) {
    const wrong =
      message.from === 'hub'
        ? wrongNotice(message, messages, successes, ended)
        : message.state === 'dead'
          ? wrongDeadLetter(message, messages, successes, ended)
          : wrongMessage(message, attempts, successes);
    if (wrong !== null)
      faults.push(`${message.state} message ${message.id} from ${message.from} to ${message.to}: ${wrong}`);
  }
  return faults;
}

const OVER = new Set(['done', 'failed', 'stopped']);

async function readTeam(request: Request, id: string): Promise<Recorded> {
  const messages = await messagesOf(request, id);
  const { members } = await request<TeamDetails>(`/api/teams/${id}`);
  const turns: TeamTurn[] = [];
  for (const member of members) {
    for (let before = 1_000_000, more = true; more;) {
      const path = `/api/teams/${id}/members/${member.id}/turns?limit=50&before=${before}`;
      const page = await request<{ turns: TeamTurn[] }>(path);
      turns.push(...page.turns);
      more = page.turns.length > 0;
      before = page.turns.at(-1)?.number ?? before;
    }
  }
  return { messages, members, turns };
}

export async function messagesOf(request: Request, id: string): Promise<TeamMessage[]> {
  const messages: TeamMessage[] = [];
  for (let after = 0, more = true; more;) {
    const page = await request<{ messages: TeamMessage[] }>(
      `/api/teams/${id}/messages?limit=1000&after=${after}`,
    );
    messages.push(...page.messages);
    more = page.messages.length > 0;
    after = page.messages.at(-1)?.seq ?? after;
  }
  return messages;
}

/** A message that was read is in exactly one successful turn, and in other attempts at that turn only. */
function wrongMessage(
  { id, state }: TeamMessage,
  attempts: readonly Attempt[],
  successes: readonly Success[],
): string | null {
  if (state !== 'read' && state !== 'answered') return 'is not settled';
  const [success, ...more] = successes.filter(({ messages }) => messages.has(id));
  if (!success) return 'in no successful turn';
  if (more.length > 0) return `in ${more.length + 1} successful turns`;
  // The first attempt of a turn does not say which one it is.
  const [, ...again] = attempts.filter(({ messages }) => messages.has(id));
  return again.every(({ retryOf }) => retryOf === success.turn) ? null : 'in attempts at another turn';
}

function wrongDeadLetter(
  { id, from, to, broadcast }: TeamMessage,
  all: readonly TeamMessage[],
  successes: readonly Success[],
  ended: ReadonlySet<string>,
): string | null {
  if (successes.some(({ messages }) => messages.has(id))) return 'in a successful turn';
  // Members that are over cannot be told.
  if (ended.has(from)) return null;
  const named = broadcast === null ? id : `${broadcast} to ${to} was not delivered`;
  const told = all.some((each) => each.from === 'hub' && each.to === from && each.text.includes(named));
  return told ? null : 'its sender was not told';
}

/** A notice of the hub has no id in a prompt, so its text is counted there. */
function wrongNotice(
  { text, to, state }: TeamMessage,
  all: readonly TeamMessage[],
  successes: readonly Success[],
  ended: ReadonlySet<string>,
): string | null {
  if (state === 'dead') return ended.has(to) ? null : 'dead, although its recipient is not over';
  if (state !== 'read') return 'is not settled';
  const sent = all.filter((each) => each.from === 'hub' && each.text === text && each.state === 'read');
  const shown = successes.map(
    ({ prompt, messages }) =>
      prompt.split(`Notice from the hub:\n${text}`).length -
      1 +
      sent.filter(({ id }) => messages.has(id)).length,
  );
  const count = shown.reduce((sum, each) => sum + each, 0);
  return count === sent.length
    ? null
    : `sent ${sent.length} times, and ${count} times in successful turns: ${text}`;
}

/** Ids of messages that were accepted by what the members were answered, and members that were spawned. */
export function acceptedIn(seen: readonly Seen[]): { messages: string[]; members: string[] } {
  const answers = (tool: string, key: string): string[] =>
    seen.flatMap((entry) =>
      entry.tool === tool && typeof entry.result?.[key] === 'string' ? [entry.result[key]] : [],
    );
  return { messages: answers('send_message', 'message_id'), members: answers('spawn_agent', 'agent_id') };
}
