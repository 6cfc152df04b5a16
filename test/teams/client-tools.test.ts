import { expect, test } from 'vitest';
import { poll, stageTeam, type TeamStage } from './team-stage.ts';

const call = (tool: string, args: object): string => `!${tool} ${JSON.stringify(args)}`;

/** A tool over HTTP, as the operator or with a token. */
const use = async ({ hub }: TeamStage, name: string, args: object, token = hub.token) =>
  hub.request('POST', `/tools/${name}`, args, { authorization: `Bearer ${token}` });

test('a client hands a job to a team and follows it', async () => {
  await using stage = await stageTeam();
  const started = await use(stage, 'zoo_team_start', {
    task: '!say working',
    harness: 'fake',
    name: 'errand',
  });
  expect(started.body.result).toMatchObject({ team: 'errand' });
  const { jobId } = started.body.result;
  await stage.untilTeam(jobId, ({ members }) => members[0]?.state === 'idle');
  const early = await use(stage, 'zoo_job_result', { jobId });
  expect(JSON.stringify(early.body)).toContain('still working');
  const status = await use(stage, 'zoo_team_status', { team: 'errand' });
  expect(status.body.result).toMatchObject({ id: jobId, state: 'running' });
  const finish = call('complete', { result: 'the errand is done' });
  await use(stage, 'zoo_team_send', { team: 'errand', text: finish });
  const done = await poll(
    'the job',
    async () => (await use(stage, 'zoo_job_status', { jobId })).body.result,
    ({ state }) => state === 'completed',
  );
  expect(done).toMatchObject({ jobId, tool: 'zoo_team_start' });
  const result = await use(stage, 'zoo_job_result', { jobId });
  expect(JSON.stringify(result.body)).toContain('the errand is done');
});

test('a job that is cancelled stops its team', async () => {
  await using stage = await stageTeam();
  const started = await use(stage, 'zoo_team_start', { task: '!hang', harness: 'fake' });
  const { jobId } = started.body.result;
  await use(stage, 'zoo_job_cancel', { jobId });
  expect((await stage.team(jobId)).state).toBe('stopped');
});

test('starting teams needs the tool in the scope, and reaches the teams of the caller only', async () => {
  await using stage = await stageTeam({
    harnesses: () =>
      '[agents.boss]\nsystem_prompt = "Lead."\ntools = ["zoo_team_start", "zoo_team_status"]\n[agents.clerk]\nsystem_prompt = "Write."\n',
  });
  const tokenOf = async (agent: string): Promise<string> =>
    (await stage.hub.request('POST', '/api/tokens', { agentId: agent })).body.token;
  const [boss, clerk] = [await tokenOf('boss'), await tokenOf('clerk')];
  const task = { task: '!say hello', harness: 'fake' };
  const refused = await use(stage, 'zoo_team_start', task, clerk);
  expect(refused.status).toBe(403);
  const mine = await use(stage, 'zoo_team_start', task, boss);
  const { jobId } = mine.body.result;
  expect((await use(stage, 'zoo_team_status', { team: jobId }, boss)).status).toBe(200);
  const others = await use(stage, 'zoo_team_start', task);
  const { jobId: other } = others.body.result;
  const hidden = await use(stage, 'zoo_team_status', { team: other }, boss);
  expect(JSON.stringify(hidden.body)).toContain('not found');
});
