import { expect, it } from 'vitest';
import { startFakeModel } from '../fake-model/fake-model.ts';
import { say, userText } from '../fake-model/script.ts';
import { describeClient } from './describe-client.ts';
import { serverName } from './driver.ts';
import { opencode } from './drivers/opencode.ts';
import { runClient, startClient } from './run-client.ts';
import type { RunningClient } from './run-client.ts';
import { createStage, expectGoodRun } from './stage.ts';

describeClient(opencode);

// The only one of the clients that goes on without a terminal from one question to the next, and whose slash
// commands follow the hub while it does.
it.each(['stdio', 'http'] as const)(
  'opencode over %s gets the slash command of a new agent',
  async (transport) => {
    await using stage = await createStage();
    await using model = await startFakeModel([say('Hello.'), say('Upside down.')]);
    const { launch, place } = await stage.prepare(opencode, transport, { say: '' }, model.url);
    await using server = await startClient('opencode', { ...launch, args: ['serve', '--port', '0'] }, place);
    const url = await said(server, /listening on (http:\S+)/);
    const ask = (...args: string[]) => {
      const attached = ['run', '--attach', url, '--dir', stage.folder, '--format', 'json', ...args];
      return runClient('opencode', { ...launch, args: attached }, place);
    };

    await ask('Good evening.');
    await stage.addAgent({ id: 'bat', name: 'Bat', systemPrompt: 'You hang upside down.' });
    const outcome = await ask('--continue', '--command', `${serverName}:bat`);

    expectGoodRun(model, outcome);
    await server[Symbol.asyncDispose]();
    await stage.expectNothingLeft();
    const last = model.requests.at(-1);
    expect(last && userText(last)).toMatch(/Good evening\.[^]*You hang upside down\./);
  },
);

async function said(client: RunningClient, pattern: RegExp): Promise<string> {
  const find = (): string => pattern.exec(client.outcome.out)?.[1] ?? '';
  await expect.poll(find).not.toBe('');
  return find();
}
