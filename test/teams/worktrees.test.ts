import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TeamTimelineEntry } from '../../src/contract/team.ts';
import { stageTeam, type TeamStage } from './team-stage.ts';

const call = (tool: string, args: object): string => `!${tool} ${JSON.stringify(args)}`;
const git = (folder: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
    cwd: folder,
    encoding: 'utf8',
  });

async function stageRepository(): Promise<TeamStage> {
  const stage = await stageTeam({ files: { 'notes.txt': 'one\n' } });
  git(stage.hub.folder, 'init', '-q');
  git(stage.hub.folder, 'add', 'notes.txt');
  git(stage.hub.folder, 'commit', '-q', '-m', 'first');
  return stage;
}

const spawn = (name: string, instructions: string): string =>
  call('spawn_agent', { name, instructions, worktree: true });

test('a worktree is created for a member, shown as a diff, and merged by the operator', async () => {
  await using stage = await stageRepository();
  const { id } = await stage.start(spawn('writer', '!write notes.txt\n!write new.txt'));
  const { members } = await stage.untilTeam(id, (team) =>
    team.members.some(({ name, state, spent }) => name === 'writer' && state === 'idle' && spent.turns === 1),
  );
  const writer = members.find(({ name }) => name === 'writer');
  expect(writer?.worktree).toMatchObject({ branch: expect.stringMatching(/^zoo\/writer-/), state: 'open' });
  expect(existsSync(join(stage.hub.folder, 'new.txt'))).toBe(false);
  const { body: diff } = await stage.hub.request('GET', `/api/teams/${id}/members/writer/diff`);
  expect(diff).toMatchObject({
    branch: writer?.worktree?.branch,
    files: [
      { path: 'notes.txt', added: 1, removed: 1 },
      { path: 'new.txt', added: 1, removed: 0 },
    ],
    isShortened: false,
  });
  expect(diff.diff).toContain('+written');
  const early = await stage.hub.request('POST', `/api/teams/${id}/members/writer/discard`, {});
  expect(early.body.error.message).toContain('Stop it before you discard');
  await stage.hub.request('POST', `/api/teams/${id}/stop`, { member: 'writer' });
  const merged = await stage.hub.request('POST', `/api/teams/${id}/members/writer/merge`, {});
  expect([merged.status, merged.body.worktree?.state]).toEqual([200, 'merged']);
  expect(readFileSync(join(stage.hub.folder, 'new.txt'), 'utf8')).toBe('written');
  expect(git(stage.hub.folder, 'branch', '--list', 'zoo/*')).toBe('');
  expect(existsSync(writer?.folder ?? '')).toBe(false);
  const again = await stage.hub.request('POST', `/api/teams/${id}/members/writer/merge`, {});
  expect([again.status, again.body.error.message]).toEqual([409, "The worktree of 'writer' is merged."]);
});

test('a parent merges and discards the work of its children', async () => {
  await using stage = await stageRepository();
  const done = call('complete', { result: 'done' });
  const { id } = await stage.start(
    [spawn('good', `!write good.txt\n${done}`), spawn('bad', `!write bad.txt\n${done}`)].join('\n'),
  );
  await stage.untilTeam(id, ({ members }) => members.filter(({ state }) => state === 'done').length === 2);
  const settle = [
    call('merge_worktree', { name: 'good' }),
    call('discard_worktree', { name: 'bad' }),
    call('merge_worktree', { name: 'bad' }),
  ].join('\n');
  await stage.hub.request('POST', `/api/teams/${id}/messages`, { to: 'root', text: settle });
  const seen = await stage.until('the last call', (all) =>
    all.some(({ tool, args }) => tool === 'merge_worktree' && args?.['name'] === 'bad'),
  );
  const answers = seen.filter(({ tool }) => tool?.endsWith('_worktree')).map(({ result }) => result);
  expect(answers).toEqual([
    { status: 'merged', name: 'good' },
    { status: 'discarded', name: 'bad' },
    { error: expect.stringContaining("The worktree of 'bad' is discarded.") },
  ]);
  expect(['good.txt', 'bad.txt'].map((file) => existsSync(join(stage.hub.folder, file)))).toEqual([
    true,
    false,
  ]);
});

test('a conflict is reported, and leaves everything as it was', async () => {
  await using stage = await stageRepository();
  const { id } = await stage.start(spawn('writer', '!write notes.txt'));
  await stage.untilTeam(id, ({ members }) =>
    members.some(({ name, spent, state }) => name === 'writer' && spent.turns === 1 && state === 'idle'),
  );
  execFileSync('sh', ['-c', 'echo other > notes.txt'], { cwd: stage.hub.folder });
  git(stage.hub.folder, 'commit', '-qam', 'second');
  const { status, body } = await stage.hub.request('POST', `/api/teams/${id}/members/writer/merge`, {});
  expect([status, body.error.message]).toEqual([409, expect.stringContaining('CONFLICT')]);
  expect(git(stage.hub.folder, 'status', '--porcelain')).not.toContain('UU');
  expect(readFileSync(join(stage.hub.folder, 'notes.txt'), 'utf8')).toBe('other\n');
});

test('worktrees need a repository, and a refused spawn creates no folder', async () => {
  await using stage = await stageTeam();
  const { id } = await stage.start(
    [
      spawn('none', 'x'),
      call('spawn_agent', { name: 'root', instructions: 'x', workspace_subdir: 'left/behind' }),
    ].join('\n'),
  );
  await stage.untilTeam(id, ({ members }) => members[0]?.state === 'idle');
  const errors = stage
    .seen()
    .flatMap(({ result }) => (typeof result?.['error'] === 'string' ? [result['error']] : []));
  expect(errors[0]).toContain('is not the root of a git repository');
  expect(errors).toHaveLength(2);
  expect(existsSync(join(stage.hub.folder, 'left'))).toBe(false);
});

test('the timeline has every state change in order, in pages', async () => {
  await using stage = await stageTeam();
  const { id } = await stage.start(call('send_message', { recipient: 'user', text: 'hello', sync: false }));
  await stage.untilTeam(id, ({ members }) => members[0]?.state === 'idle');
  const entries: TeamTimelineEntry[] = [];
  for (let after = 0, more = true; more;) {
    const { body } = await stage.hub.request('GET', `/api/teams/${id}/timeline?after=${after}&limit=3`);
    entries.push(...body.entries);
    more = body.entries.length > 0;
    after = body.next;
  }
  const short = entries.map((entry) =>
    entry.type === 'message'
      ? `${entry.message.kind} to ${entry.message.to} ${entry.state}`
      : `${entry.type} ${entry.state}`,
  );
  expect(short).toEqual([
    'team running',
    'member idle',
    'task to root queued',
    'turn running',
    'task to root delivered',
    'member busy',
    'message to user queued',
    'turn ok',
    'task to root read',
    'member idle',
  ]);
  const { body } = await stage.hub.request('GET', `/api/teams/${id}/members/root/turns?limit=5`);
  expect(body.turns.map(({ number, state }: { number: number; state: string }) => [number, state])).toEqual([
    [1, 'ok'],
  ]);
  const older = await stage.hub.request('GET', `/api/teams/${id}/members/root/turns?before=1`);
  expect(older.body.turns).toEqual([]);
});
