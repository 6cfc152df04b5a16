import { describe, expect, it } from 'vitest';
import { call, findTool, lastResult, say, userText } from '../fake-model/script.ts';
import type { Driver } from './driver.ts';
import { createStage } from './stage.ts';

const owl = {
  id: 'owl',
  name: 'Owl',
  systemPrompt: 'You hunt at night, and talk about {{topic}}.',
  arguments: [{ name: 'topic', description: 'What to talk about', required: false }],
};
const bat = { id: 'bat', name: 'Bat', systemPrompt: 'You hang upside down.' };

/** What every client has to be able to do with the hub. The model's requests are the proof. */
export function describeClient(driver: Driver): void {
  describe.each(['stdio', 'http'] as const)(`${driver.name} over %s`, (transport) => {
    it('finds the tools, lists the agents, injects one, and sees one added meanwhile', async () => {
      await using stage = await createStage();
      await stage.addAgent(owl);
      const requests = await stage.converse(driver, transport, { say: 'Become an owl.' }, [
        call('agent_zoo_list_agents'),
        call('agent_zoo_inject', { agentId: 'owl' }),
        async () => {
          await stage.addAgent(bat);
          return call('agent_zoo_list_agents');
        },
        call('agent_zoo_inject', { agentId: 'bat' }),
        say('I am a bat.'),
      ]);
      const [first, ...later] = requests;
      expect(first && userText(first)).toContain('Become an owl.');
      for (const name of ['agent_zoo_inject', 'agent_zoo_list_agents', 'agent_zoo_get_agent']) {
        const tool = first && findTool(first, name);
        expect(tool?.description).not.toBe('');
        expect(tool?.schema).toMatchObject({ type: 'object' });
      }
      const results = later.map(lastResult);
      expect(results[0]).toContain('owl');
      expect(results[0]).not.toContain('bat');
      expect(results[1]).toContain('You hunt at night');
      expect(results[2]).toContain('bat');
      expect(results[3]).toContain('You hang upside down.');
    });

    it.skipIf(!driver.hasPrompts)('becomes an agent by its slash command', async () => {
      await using stage = await createStage();
      await stage.addAgent(owl);
      const task = { agent: 'owl', arguments: { topic: 'feathers' } };
      const [first] = await stage.converse(driver, transport, task, [say('Hoo.')]);
      expect(first && userText(first)).toContain('You hunt at night, and talk about feathers.');
    });
  });
}
