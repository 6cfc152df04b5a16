import { expect, test } from 'vitest';
import { atTerminal, hasTerminal, plainScreen } from '../at-terminal.ts';
import { fixture } from '../upstreams/upstream-servers.ts';
import { tempHome } from '../zoo-command.ts';

test.skipIf(!hasTerminal)('zoo tools call asks what the tool asks, and hands over the answer', async () => {
  await using home = await tempHome({
    'zoo.toml': fixture('shop', 'modern') + fixture('old', 'legacy'),
  });
  await home.zoo(['trust', '--yes']);
  await home.serve();
  for (const server of ['shop', 'old']) {
    const { screen, code } = await atTerminal(['tools', 'call', `${server}.order`, '--arg', 'as=Ada'], {
      cwd: home.work,
      env: home.env,
      type: [['what', 'two pizzas\r']],
    });
    expect({ code, screen: plainScreen(screen) }).toEqual({
      code: 0,
      screen: expect.stringContaining(`The server '${server}' asks: What does Ada want?`),
    });
    expect(plainScreen(screen)).toMatch(/"content":\s*\{\s*"what":\s*"two pizzas"/);
  }
  // Nobody can be asked without a terminal, so the server is told so.
  const piped = await home.program(['tools', 'call', 'shop.order', '--arg', 'as=Ada']);
  expect(piped).toMatchObject({ code: 0, out: expect.stringContaining('cancel') });
});

test.skipIf(!hasTerminal)('zoo secret set does not show what is typed', async () => {
  await using home = await tempHome();
  const { screen, code } = await atTerminal(['secret', 'set', 'API_KEY'], {
    cwd: home.work,
    env: home.env,
    type: [['Value of API_KEY', 'hunter2\r']],
  });
  expect(code).toBe(0);
  expect(screen).not.toContain('hunter2');
  expect(plainScreen(screen)).toContain('Saved API_KEY');
});
