import { describe, expect, it } from 'vitest';
import type { ServerEntry } from './driver.ts';
import { runClient } from './run-client.ts';
import { createStage } from './stage.ts';

const eras = ['legacy', 'modern'] as const;
const cases = (['stdio', 'http'] as const).flatMap((transport) => eras.map((era) => ({ transport, era })));

describe.each(cases)('the inspector over $transport in the $era era', ({ transport, era }) => {
  it('lists, calls, gets and reads without problems', async () => {
    await using stage = await createStage();
    await stage.addAgent({ id: 'owl', name: 'Owl', systemPrompt: 'You hunt at night.' });
    const inspect = async (method: string, ...options: string[]) => {
      const home = stage.clientHome();
      const args = [
        ...target(stage.servers[transport]),
        '--protocol-era',
        era,
        '--method',
        method,
        ...options,
      ];
      const launch = { args: [...args, '--format', 'json', '--quiet'], env: {}, files: {} };
      const { code, out, err } = await runClient('inspector', launch, { home, folder: stage.folder });
      if (code !== 0) throw new Error(`${method} ended with ${code}: ${out}${err}`);
      return out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    };

    const [[tools], [called], [prompts], [got], [resources], [read], skills] = await Promise.all([
      // --strict fails over input schemas that some client would not take.
      inspect('tools/list', '--strict'),
      inspect('tools/call', '--tool-name', 'agent_zoo_inject', '--tool-arg', 'agentId=owl'),
      inspect('prompts/list'),
      inspect('prompts/get', '--prompt-name', 'owl'),
      inspect('resources/list'),
      inspect('resources/read', '--uri', 'agent-zoo://agents/owl'),
      // As does --verify over skills that are not as their specification wants them: a line for each skill.
      inspect('skills/list', '--verify'),
    ]);
    expect(namesOf(tools.result.tools)).toContain('agent_zoo_list_agents');
    expect(JSON.stringify(called)).toContain('You hunt at night.');
    expect(namesOf(prompts.result.prompts)).toContain('owl');
    expect(JSON.stringify(got)).toContain('You hunt at night.');
    expect(JSON.stringify(resources)).toContain('agent-zoo://agents');
    expect(JSON.stringify(read)).toContain('You hunt at night.');
    expect(skills).toContainEqual(expect.objectContaining({ name: 'owl', ok: true }));
    await stage.expectNothingLeft();
  });
});

function target(server: ServerEntry): string[] {
  if (server.transport === 'connected') throw new Error('the inspector is told its server each time');
  if (server.transport === 'stdio') {
    const env = Object.entries(server.env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    return [server.command, ...server.args, ...env];
  }
  const headers = Object.entries(server.headers).flatMap(([name, value]) => [
    '--header',
    `${name}: ${value}`,
  ]);
  return ['--transport', 'http', '--server-url', server.url, ...headers, '--stored-auth-only'];
}

function namesOf(items: { name: string }[]): string[] {
  return items.map(({ name }) => name);
}
