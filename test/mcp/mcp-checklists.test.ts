import { describe, expect, it } from 'vitest';
import { call, failure, stage, WAYS } from './mcp-clients.ts';
import type { RunningHub } from '../start-hub.ts';

const WIZARD = {
  id: 'agent-1',
  name: 'Code Wizard',
  systemPrompt: 'You are a concise coding assistant.',
  skills: [
    { id: 'ts-expert', name: 'TypeScript Expert', description: 'Prefer strict types.' },
    { id: 'test-driven', name: 'Test-Driven', description: 'Write tests first.', enabled: false },
  ],
};
const COMPILED = `You are now Code Wizard. Use agentId=agent-1 for all agent_zoo tool usage.

You are a concise coding assistant.

---

## Active Skills

### TypeScript Expert
Prefer strict types.`;

async function createWizard(hub: RunningHub): Promise<void> {
  expect((await hub.request('POST', '/api/agents', WIZARD)).status).toBe(201);
}

const missing = { error: true, code: 'AGENT_NOT_FOUND', message: "Agent with ID 'xyz' not found." };

describe.each(WAYS)('over $transport, $era', (way) => {
  describe('seed 000, §9', () => {
    it('lists the tools with the printed schemas', async () => {
      await using opened = await stage(way);
      const { tools } = await opened.client.listTools();
      const byName = Object.fromEntries(tools.map((tool) => [tool.name, tool]));
      expect(byName['agent_zoo_inject']?.inputSchema).toEqual({
        type: 'object',
        properties: {
          agentId: { type: 'string', description: 'Agent ID to inject.' },
          format: {
            type: 'string',
            enum: ['compiled', 'structured'],
            description:
              "Output format. 'compiled' = single string prompt. 'structured' = JSON with systemPrompt + skills separate. Defaults to 'compiled'.",
          },
          arguments: { type: 'object', description: expect.any(String) },
        },
        required: ['agentId'],
      });
      expect(byName['agent_zoo_list_agents']?.inputSchema).toEqual({
        type: 'object',
        properties: {},
        required: [],
      });
      expect(byName['agent_zoo_get_agent']?.inputSchema).toEqual({
        type: 'object',
        properties: { agentId: { type: 'string', description: 'Agent ID to retrieve.' } },
        required: ['agentId'],
      });
      expect(Object.keys(byName).filter((name) => name.includes('brain'))).toEqual([
        'agent_zoo_create_brain_entry',
        'agent_zoo_delete_brain_entry',
        'agent_zoo_query_brain_entries',
        'agent_zoo_update_brain_entry',
      ]);
    });

    it('injects the compiled prompt of the requested agent, of its enabled skills only', async () => {
      await using opened = await stage(way);
      await createWizard(opened.hub);
      const expected = { agentId: 'agent-1', agentName: 'Code Wizard', prompt: COMPILED };
      for (const args of [{}, { format: 'compiled' }]) {
        const { text, structured } = await call(opened.client, 'agent_zoo_inject', {
          agentId: 'agent-1',
          ...args,
        });
        expect(structured).toEqual(expected);
        expect(JSON.parse(text)).toEqual(expected);
      }
    });

    it('requires agentId to inject', async () => {
      await using opened = await stage(way);
      expect(await failure(opened.client, 'agent_zoo_inject')).toEqual({
        error: true,
        code: 'INVALID_ARGUMENTS',
        message: 'agent_zoo_inject: agentId is missing',
      });
    });

    it('injects persona and skills separately as structured', async () => {
      await using opened = await stage(way);
      await createWizard(opened.hub);
      const { structured } = await call(opened.client, 'agent_zoo_inject', {
        agentId: 'agent-1',
        format: 'structured',
      });
      expect(structured).toEqual({
        agentId: 'agent-1',
        agentName: 'Code Wizard',
        systemPrompt: 'You are a concise coding assistant.',
        skills: [{ id: 'ts-expert', name: 'TypeScript Expert', description: 'Prefer strict types.' }],
      });
    });

    it('lists all agents by id and name', async () => {
      await using opened = await stage(way);
      await createWizard(opened.hub);
      const { structured, text } = await call(opened.client, 'agent_zoo_list_agents');
      expect(structured).toEqual({
        agents: [
          { id: 'agent-1', name: 'Code Wizard' },
          { id: 'guide', name: 'Guide' },
        ],
      });
      expect(JSON.parse(text)).toEqual(structured);
    });

    it('returns the whole agent', async () => {
      await using opened = await stage(way);
      await createWizard(opened.hub);
      const whole = (await opened.hub.request('GET', '/api/agents/agent-1')).body;
      expect((await call(opened.client, 'agent_zoo_get_agent', { agentId: 'agent-1' })).structured).toEqual(
        whole,
      );
    });

    it('answers missing or invalid arguments with the printed errors', async () => {
      await using opened = await stage(way);
      const { client } = opened;
      expect(await failure(client, 'agent_zoo_inject', { agentId: 'xyz' })).toEqual(missing);
      expect(await failure(client, 'agent_zoo_get_agent', { agentId: 'xyz' })).toEqual(missing);
      expect(await failure(client, 'agent_zoo_inject', { agentId: 'guide', format: 'yaml' })).toMatchObject({
        error: true,
        code: 'INVALID_FORMAT',
      });
      expect(await failure(client, 'agent_zoo_get_agent', { agentId: 7 })).toMatchObject({
        code: 'INVALID_ARGUMENTS',
        message: 'agent_zoo_get_agent: agentId must be text, not a number',
      });
      expect(await failure(client, 'agent_zoo_nothing')).toMatchObject({ code: 'TOOL_NOT_FOUND' });
    });
  });

  describe('seed 001, §6', () => {
    it('lists the three tools with their arguments', async () => {
      await using opened = await stage(way);
      const { tools } = await opened.client.listTools();
      const required = Object.fromEntries(tools.map(({ name, inputSchema }) => [name, inputSchema.required]));
      expect(required).toMatchObject({
        agent_zoo_set_current: ['agentId'],
        agent_zoo_update_personality: ['agentId', 'personality'],
        agent_zoo_toggle_skill: ['agentId', 'skillId', 'enabled'],
      });
    });

    it('sets the current agent and confirms', async () => {
      await using opened = await stage(way);
      await createWizard(opened.hub);
      const { text } = await call(opened.client, 'agent_zoo_set_current', { agentId: 'agent-1' });
      expect(text).toBe('Current agent set to Code Wizard (agent-1).');
      expect((await opened.hub.request('GET', '/api/current')).body).toEqual({ agentId: 'agent-1' });
      const { contents } = await opened.client.readResource({ uri: 'agent-zoo://agents/current' });
      expect(contents[0]).toMatchObject({ text: expect.stringContaining('"id": "agent-1"') });
    });

    it('updates the personality and confirms', async () => {
      await using opened = await stage(way);
      await createWizard(opened.hub);
      const { text } = await call(opened.client, 'agent_zoo_update_personality', {
        agentId: 'agent-1',
        personality: 'Speak in verse.',
      });
      expect(text).toBe('Personality of Code Wizard (agent-1) updated.');
      const { body } = await opened.hub.request('GET', '/api/agents/agent-1');
      expect(body).toMatchObject({ systemPrompt: 'Speak in verse.', revision: 2 });
      expect(body.skills).toHaveLength(2);
      const { revisions } = (await opened.hub.request('GET', '/api/agents/agent-1/history')).body;
      expect(revisions[0]).toMatchObject({ surface: 'mcp' });
    });

    it('toggles a skill and confirms', async () => {
      await using opened = await stage(way);
      await createWizard(opened.hub);
      const skill = { agentId: 'agent-1', skillId: 'test-driven' };
      const on = await call(opened.client, 'agent_zoo_toggle_skill', { ...skill, enabled: true });
      expect(on.text).toBe('Skill Test-Driven (test-driven) enabled for agent agent-1.');
      const off = await call(opened.client, 'agent_zoo_toggle_skill', { ...skill, enabled: false });
      expect(off.text).toBe('Skill Test-Driven (test-driven) disabled for agent agent-1.');
      const { body } = await opened.hub.request('GET', '/api/agents/agent-1/skills/test-driven');
      expect(body).toMatchObject({ enabled: false });
    });

    it('names missing and invalid arguments', async () => {
      await using opened = await stage(way);
      const { client } = opened;
      expect(await failure(client, 'agent_zoo_update_personality', { agentId: 'guide' })).toMatchObject({
        code: 'INVALID_ARGUMENTS',
        message: 'agent_zoo_update_personality: personality is missing',
      });
      const wrong = { agentId: 'guide', skillId: 'x', enabled: 'yes' };
      expect(await failure(client, 'agent_zoo_toggle_skill', wrong)).toMatchObject({
        message: 'agent_zoo_toggle_skill: enabled must be true or false, not text',
      });
    });

    it('reports missing agents and skills, and agents in files', async () => {
      const toml = '[agents.filed]\nsystem_prompt = "x"\n';
      await using opened = await stage(way, { 'zoo.toml': toml });
      const { client } = opened;
      expect(await failure(client, 'agent_zoo_set_current', { agentId: 'xyz' })).toEqual(missing);
      const personality = 'y';
      expect(await failure(client, 'agent_zoo_update_personality', { agentId: 'xyz', personality })).toEqual(
        missing,
      );
      expect(
        await failure(client, 'agent_zoo_update_personality', { agentId: 'filed', personality }),
      ).toMatchObject({ code: 'READ_ONLY' });
      const skill = { agentId: 'guide', skillId: 'nope', enabled: true };
      expect(await failure(client, 'agent_zoo_toggle_skill', skill)).toMatchObject({
        code: 'SKILL_NOT_FOUND',
      });
    });
  });
});
