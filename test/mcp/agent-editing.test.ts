import { expect, it } from 'vitest';
import { startHub } from '../start-hub.ts';
import { tempFolder } from '../temp-folder.ts';

const call = (hub: Awaited<ReturnType<typeof startHub>>, name: string, args: unknown, agent = '') =>
  hub.request('POST', `/tools/${name}${agent && `?agent=${agent}`}`, args);

it('an agent is created and changed by tools, with the mistakes in it', async () => {
  await using hub = await startHub();
  const created = await call(hub, 'agent_zoo_create_agent', {
    name: 'Code Wizard',
    systemPrompt: 'You are a wizard.',
    tools: ['search', 'serch'],
    skills: [{ name: 'Brief' }],
  });
  expect(created.status).toBe(200);
  expect(JSON.stringify(created.body)).toContain('serch');
  const { body } = await hub.request('GET', '/api/agents/code-wizard');
  expect(body).toMatchObject({
    name: 'Code Wizard',
    tools: ['search', 'serch'],
    skills: [{ name: 'Brief' }],
  });
  await call(hub, 'agent_zoo_update_agent', { agentId: 'code-wizard', tools: ['search'] });
  expect((await hub.request('GET', '/api/agents/code-wizard')).body).toMatchObject({
    tools: ['search'],
    systemPrompt: 'You are a wizard.',
    revision: 2,
  });
  const stale = { agentId: 'code-wizard', name: 'Late', revision: 1 };
  expect((await call(hub, 'agent_zoo_update_agent', stale)).status).toBe(409);
});

it('an agent changes what it created, and neither others nor its own tools', async () => {
  await using hub = await startHub();
  await hub.request('POST', '/api/agents', { id: 'other', name: 'Other', tools: [] });
  expect((await call(hub, 'agent_zoo_create_agent', { name: 'Child', id: 'child' }, 'guide')).status).toBe(
    200,
  );
  const rename = (agentId: string) => call(hub, 'agent_zoo_update_agent', { agentId, name: 'New' }, 'guide');
  expect((await rename('child')).status).toBe(200);
  expect((await rename('other')).status).toBe(403);
  expect((await rename('guide')).status).toBe(200);
  const wider = { agentId: 'guide', tools: ['*'] };
  expect((await call(hub, 'agent_zoo_update_agent', wider, 'guide')).status).toBe(403);
});

it('an agent of a workspace changes what it created, and not what the own agent of the same id created', async () => {
  const maker = '[agents.maker]\nsystem_prompt = "x"\ntools = ["agent_zoo_*"]\n';
  await using hub = await startHub({}, { own: { 'zoo.toml': maker }, trustAll: true });
  await using folder = await tempFolder({ 'zoo.toml': maker });
  const as = (name: string, args: unknown, workspace = '') =>
    hub.request('POST', `/tools/${name}?agent=maker${workspace && `&workspace=${workspace}`}`, args);
  const theirs = encodeURIComponent(folder.path);
  expect((await as('agent_zoo_create_agent', { name: 'Mine', id: 'mine' })).status).toBe(200);
  expect((await as('agent_zoo_create_agent', { name: 'Theirs', id: 'theirs' }, theirs)).status).toBe(200);
  const rename = async (agentId: string, workspace = '') =>
    (await as('agent_zoo_update_agent', { agentId, name: 'New' }, workspace)).status;
  expect([await rename('mine'), await rename('theirs')]).toEqual([200, 403]);
  expect([await rename('mine', theirs), await rename('theirs', theirs)]).toEqual([403, 200]);
});

it('the editing tools are hidden by [mcp] editing = false', async () => {
  await using hub = await startHub({ 'zoo.toml': '[mcp]\nediting = false\n' });
  expect((await call(hub, 'agent_zoo_create_agent', { name: 'X' })).status).toBe(404);
});
