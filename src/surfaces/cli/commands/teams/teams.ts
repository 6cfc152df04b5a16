import type { ZooClient } from '../../../../contract/api.ts';
import type { TeamDetails, TeamMember, TeamSummary } from '../../../../contract/team.ts';
import { connect } from '../../hub-access/connect-to-hub.ts';
import { withClient } from '../../hub-access/with-client.ts';
import { type Invocation, print, say } from '../../invocation.ts';
import type { Style } from '../../output/paint.ts';
import { wrapMessage } from '../../output/wrap-message.ts';
import { firstLine, localTime, plural, shortTime, wrap } from '../../render/layout.ts';
import { type Cell, renderTable } from '../../render/table.ts';

const LONGEST_REASON = 300;

const colours: Record<TeamSummary['state'] | TeamMember['state'], Style> = {
  running: 'bold',
  paused: 'warning',
  idle: 'dim',
  busy: 'bold',
  waiting: 'warning',
  done: 'bold',
  failed: 'alert',
  stopped: 'dim',
};

/** Reads teams; says if they wait for a hub. */
async function readTeams<T>(
  call: Invocation,
  read: (client: ZooClient) => Promise<T>,
  isRunning: (answer: T) => boolean,
): Promise<T> {
  const connection = await connect(call);
  try {
    const answer = await read(connection.client);
    if (!call.json && connection.isOwn() && isRunning(answer)) {
      say(call, 'No hub is running: members go on working when you start one with `zoo serve`.');
    }
    return answer;
  } finally {
    await connection.close();
  }
}

export async function listTeams(call: Invocation): Promise<void> {
  const answer = await readTeams(
    call,
    (client) => client.call('listTeams', {}),
    ({ teams }) => teams.some(({ state }) => state === 'running'),
  );
  print(call, answer, () =>
    renderTable(
      answer.teams.map(({ id, state, name, createdAt, spent }): Cell[] => [
        id.slice(0, 8),
        { text: state, style: colours[state] },
        { text: name, style: 'bold' },
        shortTime(createdAt),
        plural(spent.turns, 'turn'),
      ]),
      call,
      { columns: [{}, {}, { min: 8 }, { optional: true }, { optional: true }] },
    ).join('\n'),
  );
  if (!call.json && answer.teams.length === 0) {
    say(call, 'No teams yet. `zoo team start --harness NAME --task "what to do"` starts one.');
  }
}

export async function showTeam(call: Invocation, id: string): Promise<void> {
  const team = await readTeams(
    call,
    (client) => client.call('getTeam', { id }),
    ({ state }) => state === 'running',
  );
  print(call, team, () => renderTeam(team, call));
}

export async function changeTeam(
  call: Invocation,
  id: string,
  operation: 'pauseTeam' | 'resumeTeam',
): Promise<void> {
  const team = await withClient(call, (client) => client.call(operation, { id }));
  print(call, team, () => `Team ${team.name} is ${team.state}.`);
}

export async function stopTeam(call: Invocation, id: string, member: string | undefined): Promise<void> {
  const body = member === undefined ? {} : { member };
  const team = await withClient(call, (client) => client.call('stopTeam', { id, body }));
  print(call, team, () => renderTeam(team, call));
}

export async function inspectMember(call: Invocation, id: string, name: string): Promise<void> {
  const answer = await withClient(call, (client) => client.call('inspectMember', { id, member: name }));
  const indented = (text: string): string => wrap(text, call.columns, '  ');
  print(call, answer, () =>
    [
      describeMember(answer.member, call),
      ...reasonOf(answer.member, call, '  '),
      ...answer.turns.flatMap((turn) => [
        call.paint('bold', `Turn ${turn.number}, ${turn.state}, ${localTime(turn.startedAt)}`),
        ...(turn.prompt === null ? [] : [indented(turn.prompt)]),
        ...turn.tools.map((tool) => indented(`used ${tool}`)),
        ...(turn.answer === null || turn.answer === '' ? [] : [indented(`said: ${turn.answer}`)]),
        ...(turn.error === null ? [] : [indented(turn.error)]),
      ]),
    ].join('\n'),
  );
}

/** The team as a tree. */
export function renderTeam(team: TeamDetails, call: Invocation): string {
  const below = (parent: string | null, depth: number): string[] =>
    team.members
      .filter((member) => member.parentId === parent)
      .flatMap((member) => [
        describeMember(member, call, '  '.repeat(depth)),
        ...reasonOf(member, call, '  '.repeat(depth + 1)),
        ...below(member.id, depth + 1),
      ]);
  const head = `${call.paint('bold', team.name)} ${call.paint('dim', team.id.slice(0, 8))} ${call.paint(colours[team.state], team.state)}`;
  return [head, ...below(null, 1)].join('\n');
}

const dollars = (usd: number): string => `$${usd.toFixed(4)}`;

/** Empty if nothing was spent and there is no limit. */
function spentOf(
  spent: number,
  most: number | undefined,
  format: (amount: number) => string,
  unit = '',
): string[] {
  const limit = most === undefined ? '' : ` of ${format(most)}`;
  return spent > 0 || most !== undefined ? [`${format(spent)}${limit}${unit}`] : [];
}

function describeMember(member: TeamMember, { paint, columns }: Invocation, margin = ''): string {
  const { name, state, role, harness, unread, spent, budget, worktree } = member;
  const more = [
    role === 'root' ? harness : `${role}, ${harness}`,
    budget.turns === undefined ? plural(spent.turns, 'turn') : `${spent.turns} of ${budget.turns} turns`,
    ...spentOf(spent.tokens, budget.tokens, String, ' tokens'),
    ...spentOf(spent.usd, budget.usd, dollars),
    ...(unread > 0 ? [`${unread} unread`] : []),
    ...(worktree === null ? [] : [`worktree ${worktree.state}`]),
  ];
  const line = `${margin}${paint('bold', name)} ${paint(colours[state], state)} (${more.join('; ')})`;
  return wrapMessage(line, columns);
}

/** Why it failed or was stopped, on a line of its own. */
const reasonOf = ({ reason }: TeamMember, { columns }: Invocation, indent: string): string[] =>
  reason === null ? [] : [wrap(firstLine(reason, LONGEST_REASON), columns, indent)];
