import { expect, test } from 'vitest';
import * as z from 'zod';
import { connect } from '../mcp/mcp-clients.ts';
import { poll, stageTeam, type TeamStage } from './team-stage.ts';

const Structured = z.looseObject({ jobId: z.string().optional(), state: z.string().optional() });

const call = (tool: string, args: object): string => `!${tool} ${JSON.stringify(args)}`;

/** A tool over HTTP, as the operator or with a token. */
const use = async ({ hub }: TeamStage, name: string, args: object, token = hub.token) =>
  hub.request('POST', `/tools/${name}`, args, { authorization: `Bearer ${token}` });

test('an MCP client hands a job to a team and follows it', async () => {
  await using stage = await stageTeam();
  await using connected = await connect(stage.hub, { transport: 'http', era: 'modern' });
  const ask = async (name: string, args: Record<string, unknown>) => {
    const { structuredContent, content } = await connected.client.callTool({ name, arguments: args });
    return { value: Structured.parse(structuredContent ?? {}), text: JSON.stringify(content) };
  };
  const { tools } = await connected.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['zoo_team_start', 'zoo_team_status', 'zoo_team_send', 'zoo_job_status']),
  );
  const started = await ask('zoo_team_start', { task: '!say working', harness: 'fake', name: 'errand' });
  expect(started.value).toMatchObject({ team: 'errand', jobId: expect.any(String) });
  const { jobId = '' } = started.value;
  await stage.untilTeam(jobId, ({ members }) => members[0]?.state === 'idle');
  expect((await ask('zoo_job_result', { jobId })).text).toContain('still working');
  expect((await ask('zoo_team_status', { team: 'errand' })).value).toMatchObject({
    id: jobId,
    state: 'running',
  });
  const finish = call('complete', { result: 'the errand is done' });
  await ask('zoo_team_send', { team: 'errand', text: finish });
  const done = await poll(
    'the job',
    async () => (await ask('zoo_job_status', { jobId })).value,
    ({ state }) => state === 'completed',
  );
  expect(done).toMatchObject({ jobId, tool: 'zoo_team_start' });
  expect((await ask('zoo_job_result', { jobId })).text).toContain('the errand is done');
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
