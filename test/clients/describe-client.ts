import { describe, expect, it } from 'vitest';
import { call, findTool, lastResult, say, userText, waitFor } from '../fake-model/script.ts';
import type { ModelRequest } from '../fake-model/wire-format.ts';
import { startFakeModel } from '../fake-model/fake-model.ts';
import { BOOK_FLIGHT, FILLED, TRIP } from '../publishing/stage.ts';
import type { Driver } from './driver.ts';
import { createStage } from './stage.ts';

const owl = {
  id: 'owl',
  name: 'Owl',
  systemPrompt: 'You hunt at night, and talk about {{topic}}.',
  arguments: [{ name: 'topic', description: 'What to talk about', required: false }],
};
const bat = { id: 'bat', name: 'Bat', systemPrompt: 'You hang upside down.' };

const trips = {
  id: 'trips',
  name: 'Trips',
  systemPrompt: 'You book trips.',
  mode: 'tools',
  tools: [],
  publishedTools: [BOOK_FLIGHT],
};

/** One of those that `[mcp] editing = false` hides. */
const editingTool = 'agent_zoo_toggle_skill';
const list = call('agent_zoo_list_agents');

/** What every client has to be able to do with the hub. The model's requests are the proof. */
export function describeClient(driver: Driver): void {
  describe.each(['stdio', 'http'] as const)(`${driver.name} over %s`, (transport) => {
    it('finds the tools, lists the agents, injects one, and sees what changes meanwhile', async () => {
      await using stage = await createStage({ 'ctx.toml': '[mcp]\nediting = false\n' });
      await stage.addAgent(owl);
      const requests = await stage.converse(driver, transport, { say: 'Become an owl.' }, [
        list,
        call('agent_zoo_inject', { agentId: 'owl' }),
        async () => {
          await stage.addAgent(bat);
          // Appears, because Claude Code goes on offering what has disappeared until the next conversation.
          await stage.write('ctx.toml', '[mcp]\nediting = true\n');
          return list;
        },
        waitFor((request) => findTool(request, editingTool) !== undefined, {
          meanwhile: list,
          answer: call('agent_zoo_inject', { agentId: 'bat' }),
        }),
        say('I am a bat.'),
      ]);
      const [first, ...later] = requests;
      expect(first && userText(first)).toContain('Become an owl.');
      for (const name of ['agent_zoo_inject', 'agent_zoo_list_agents', 'agent_zoo_get_agent']) {
        const tool = first && findTool(first, name);
        expect(tool?.description).toMatch(/\w/);
        expect(tool?.schema).toMatchObject({ type: 'object' });
      }
      const results = later.map(lastResult);
      const [listed, injected] = results;
      expect(listed).toContain('owl');
      expect(listed).not.toContain('bat');
      expect(injected).toContain('You hunt at night');
      expect(results.at(-2)).toContain('owl');
      expect(results.at(-2)).toContain('bat');
      expect(results.at(-1)).toContain('You hang upside down.');
      expect(offered(first, editingTool)).toBe(false);
      expect(offered(later.at(-1), editingTool)).toBe(true);
    });

    it("calls seed 004's book_flight, with a second model behind the agent", async () => {
      await using behind = await startFakeModel([], { aside: 'Booked: Paris, 1 December.' });
      const keys = { ANTHROPIC_API_KEY: 'sk-secret-key-of-tests', ANTHROPIC_BASE_URL: behind.url };
      await using stage = await createStage({}, keys);
      await stage.addAgent({ ...trips });
      const requests = await stage.converse(driver, transport, { say: 'Book it.' }, [
        call('book_flight', TRIP),
        say('It is booked.'),
      ]);
      const [first, second] = requests;
      const tool = first && findTool(first, 'book_flight');
      expect(tool?.description).toContain(BOOK_FLIGHT.description);
      expect(tool?.schema).toMatchObject({ required: BOOK_FLIGHT.parameters.required });
      expect(second && lastResult(second)).toContain('Booked: Paris, 1 December.');
      expect(behind.asides.map(userText)).toEqual([FILLED]);
    });

    it.skipIf(!driver.hasPrompts)('becomes an agent by its slash command', async () => {
      await using stage = await createStage();
      await stage.addAgent(owl);
      const task = { agent: 'owl', arguments: { topic: 'feathers' } };
      const [first] = await stage.converse(driver, transport, task, [say('Hoo.')]);
      expect(first && userText(first)).toContain('You hunt at night, and talk about feathers.');
    });
  });

  it(`${driver.name} finds the hub after zoo connect`, async () => {
    await using stage = await createStage();
    await stage.addAgent(owl);
    const requests = await stage.converse(driver, 'connected', { say: 'Who is there?' }, [
      list,
      say('An owl.'),
    ]);
    expect(requests.map(lastResult).at(-1)).toContain('owl');
  });
}

function offered(request: ModelRequest | undefined, tool: string): boolean | undefined {
  return request && findTool(request, tool) !== undefined;
}
