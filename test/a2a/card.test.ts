import { describe, expect, it } from 'vitest';
import { stage } from '../publishing/stage.ts';
import { startHub } from '../start-hub.ts';
import { boundToken, planSkill, PLANNER as OWN } from './planner.ts';

describe('the card of an agent', () => {
  it('is public for autonomous agents only, and holds no prompt and no tool', async () => {
    await using at = await stage([], OWN);
    const get = (path: string) => at.hub.request('GET', path, undefined, { authorization: '' });
    const own = await get('/a2a/planner/.well-known/agent-card.json');
    expect(own).toMatchObject({
      status: 200,
      body: {
        name: 'Planner',
        description: 'Plans trips.',
        version: '1.2.3',
        capabilities: { streaming: true },
        skills: [{ id: 'trains', name: 'Trains' }],
        supportedInterfaces: expect.arrayContaining([
          expect.objectContaining({ url: `${at.hub.url}/a2a/planner`, protocolBinding: 'JSONRPC' }),
        ]),
      },
    });
    expect(JSON.stringify(own.body)).not.toMatch(/hunter2|discount|sources/);
    // The only card is also that of the hub.
    expect((await get('/.well-known/agent-card.json')).body).toEqual(own.body);
    for (const id of ['private', 'nobody', '%zz'])
      expect((await get(`/a2a/${id}/.well-known/agent-card.json`)).status).toBe(404);
    expect((await get('/a2a/planner/v1/tasks')).status).toBe(401);
    expect((await at.hub.request('POST', '/a2a/planner', {}, { authorization: '' })).status).toBe(401);
  });

  it('does not exist before its workspace is approved', async () => {
    const theirs = '[agents.theirs]\nsystem_prompt = "x"\nmode = "autonomous"\n';
    await using hub = await startHub(
      { 'zoo.toml': `${theirs}[tools.mcp.evil]\ncommand = "true"\n` },
      { own: { 'zoo.toml': OWN } },
    );
    const get = (path: string) => hub.request('GET', path, undefined, { authorization: '' });
    expect((await get('/a2a/theirs/.well-known/agent-card.json')).status).toBe(404);
    expect((await get('/.well-known/agent-card.json')).body).toMatchObject({ name: 'Planner' });
    const refused = await hub.request('POST', '/a2a/theirs', { jsonrpc: '2.0', id: 1, method: 'GetTask' });
    expect(refused.status).toBe(404);
    expect(JSON.stringify(refused.body)).not.toContain(hub.folder);
  });

  it('ignores the default and the context hours of a config that was not approved', async () => {
    await using hub = await startHub(
      { 'zoo.toml': '[a2a]\ndefault = "other"\ncontext_hours = 0.001\n' },
      { own: { 'zoo.toml': `${OWN}[a2a]\ndefault = "planner"\n[agents.other]\nmode = "autonomous"\n` } },
    );
    const { body } = await hub.request('GET', '/.well-known/agent-card.json');
    expect(body).toMatchObject({ name: 'Planner' });
    expect(hub.hub.a2aSettings().contextIdleMs).toBe(24 * 60 * 60 * 1_000);
  });

  it('has the skills that the agent lists for A2A, the address of the config and its default', async () => {
    const second = `${OWN}
[a2a]
default = "second"
url = "https://zoo.example.com/"
provider = { name = "Example", url = "https://example.com" }
[agents.second]
mode = "autonomous"
system_prompt = "The password is hunter2."
tools = ["sources"]
[[agents.second.skills]]
name = "Trains"
description = "Prefer trains, the secret discount is 42."
${planSkill('second')}`;
    await using at = await stage([], second);
    const { body } = await at.hub.request('GET', '/.well-known/agent-card.json');
    expect(body.skills).toMatchObject([
      {
        id: 'plan',
        name: 'Plan a trip',
        description: 'Finds trains.',
        tags: ['travel'],
        examples: ['A weekend in Rome'],
      },
    ]);
    expect(body.supportedInterfaces[0].url).toBe('https://zoo.example.com/a2a/second');
    expect(body.provider).toEqual({ organization: 'Example', url: 'https://example.com' });
    expect(body.capabilities).toMatchObject({ extendedAgentCard: true });

    // Callers with a token see the names of its own skills too, and no more.
    const version = { 'a2a-version': '1.0' };
    const path = '/a2a/second/v1/extendedAgentCard';
    expect((await at.hub.request('GET', path, undefined, { ...version, authorization: '' })).status).toBe(
      401,
    );
    const bound = { ...version, authorization: `Bearer ${await boundToken(at, 'second')}` };
    const extended = await at.hub.request('GET', path, undefined, bound);
    expect(extended.body.skills.map(({ id }: { id: string }) => id)).toEqual(['plan', 'trains']);
    const method = { jsonrpc: '2.0', id: 1, method: 'GetExtendedAgentCard', params: {} };
    expect((await at.hub.request('POST', '/a2a/second', method, bound)).body.result).toEqual(extended.body);
    expect(JSON.stringify([body, extended.body])).not.toMatch(/hunter2|discount|sources/);
  });
});
