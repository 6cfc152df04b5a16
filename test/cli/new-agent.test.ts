import { expect, test } from 'vitest';
import { atTerminal, hasTerminal, plainScreen } from '../at-terminal.ts';
import { tempHome } from '../zoo-command.ts';

test.skipIf(!hasTerminal)(
  'zoo agent create asks at a terminal, shows a preview and creates the agent',
  async () => {
    await using home = await tempHome();
    const { screen, code } = await atTerminal(['agent', 'create'], {
      cwd: home.work,
      env: home.env,
      type: [
        ['Name of the agent', 'Log reader\r'],
        ['What is it for?', 'Reads logs\r'],
        ['Template', '\r'],
        ['Tools', '\u001b[B\r'],
        ['Which tools may it use?', 'sear'],
        ['search', '\t'],
        ['search', '\r'],
        ['Create it?', '\r'],
      ],
    });
    expect({ code, screen: plainScreen(screen) }).toEqual({
      code: 0,
      screen: expect.stringContaining('Created log-reader'),
    });
    expect(plainScreen(screen)).toMatch(
      /Description +Reads logs\n +Template +start from scratch\n +Tools +search\n/,
    );
    const shown = JSON.parse((await home.zoo(['agent', 'show', 'log-reader', '--json'])).out);
    expect(shown).toMatchObject({ name: 'Log reader', description: 'Reads logs', tools: ['search'] });
  },
);

test.skipIf(!hasTerminal)('zoo agent create is cancelled by Ctrl-C and creates nothing', async () => {
  await using home = await tempHome();
  const { screen, code } = await atTerminal(['agent', 'create'], {
    cwd: home.work,
    env: home.env,
    type: [['Name of the agent', '\u0003']],
  });
  expect(code).toBe(1);
  expect(screen).toContain('cancelled; no agent was created');
  expect(JSON.parse((await home.zoo(['agent', 'list', '--json'])).out).total).toBe(1);
});

test('zoo agent create without a terminal says which options to use', async () => {
  await using home = await tempHome();
  const { code, err } = await home.zoo(['agent', 'create']);
  expect(code).toBe(2);
  expect(err).toContain('--name');
});
