import { existsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { tempFolder } from '../temp-folder.ts';
import { stageTeam, type TeamStage } from './team-stage.ts';

const FAKE = fileURLToPath(new URL('fake-print-agent.js', import.meta.url));
const call = (tool: string, args: object): string => `!${tool} ${JSON.stringify(args)}`;

const stage = (kind: 'cursor' | 'claude'): Promise<TeamStage> =>
  stageTeam({
    harnesses: (oracle) =>
      `[harness.${kind}]\nmode = "${kind}-print"\ncommand = [${[process.execPath, FAKE, kind].map((word) => JSON.stringify(word)).join(', ')}]\nenv = { ORACLE = ${JSON.stringify(oracle)} }\n`,
  });

for (const kind of ['cursor', 'claude'] as const) {
  test(`members run as ${kind} in print mode, each with a registration of its own`, async () => {
    await using at = await stage(kind);
    const hello = call('send_message', { recipient: 'root', text: 'hello', sync: false });
    const { id } = await at.start(call('spawn_agent', { name: 'helper', instructions: hello }), {
      harness: kind,
    });
    const seen = await at.until('the message', (all) =>
      all.some(({ finished }) => finished?.includes('Message from helper')),
    );
    const prompts = seen.filter(({ prompt }) => prompt !== undefined);
    const of = (name: string) => prompts.filter(({ prompt }) => prompt?.includes(`You are ${name},`));
    expect([of('root').length, of('helper').length]).toEqual([1, 1]);
    // The root goes on in the same conversation, and both work in the same folder.
    const [first] = of('root');
    expect(prompts.at(-1)).toMatchObject({ session: first?.session, turns: 2, cwd: at.hub.folder });
    expect(of('helper')[0]?.['cwd']).toBe(at.hub.folder);
    expect(of('helper')[0]?.['token']).not.toBe(first?.['token']);
    const { members } = await at.untilTeam(id, (team) => team.members.every(({ state }) => state === 'idle'));
    expect(existsSync(join(at.hub.folder, '.cursor', 'mcp.json'))).toBe(false);
    expect(members[0]?.spent).toEqual({ tokens: 30, usd: 0.02, turns: 2 });
    await at.hub.request('POST', `/api/teams/${id}/stop`, {});
  });
}

test('a crash, a flood and a forgotten session in print mode lose no message', async () => {
  await using at = await stage('claude');
  const flooded = await at.start('!flood', { harness: 'claude' });
  const ready = await at.untilTeam(flooded.id, ({ members }) => members[0]?.state === 'idle');
  expect(ready.members[0]?.spent.turns).toBe(1);
  const crashed = await at.start('!crash', { harness: 'claude' });
  const { members } = await at.untilTeam(crashed.id, ({ state }) => state === 'failed');
  expect(members[0]?.reason).toContain('its turn failed 3 times: the process exited (3)');
});

test('the token of a member in print mode is not among its arguments', async () => {
  await using at = await stage('claude');
  const { id } = await at.start('hello', { harness: 'claude' });
  await at.untilTeam(id, ({ members }) => members[0]?.state === 'idle');
  const [turn] = at.seen();
  expect(turn?.['token']).toMatch(/^Bearer zoo_member_/);
  expect(JSON.stringify(turn?.args)).not.toContain('zoo_member_');
});

test('claude and cursor-agent without ACP are driven in print mode', async () => {
  const shim = (kind: string): string => `#!/bin/sh\nexec '${process.execPath}' '${FAKE}' ${kind} "$@"\n`;
  await using bin = await tempFolder({ claude: shim('claude'), 'cursor-agent': shim('cursor') });
  for (const program of ['claude', 'cursor-agent']) await chmod(join(bin.path, program), 0o755);
  await using at = await stageTeam({
    env: { PATH: `${bin.path}:/usr/bin:/bin`, HOME: bin.path },
    harnesses: (oracle) =>
      ['claude', 'cursor']
        .map((name) => `[harness.${name}]\nenv = { ORACLE = ${JSON.stringify(oracle)} }\n`)
        .join(''),
  });
  const { body } = await at.hub.request('GET', '/api/harnesses');
  const shown = body.harnesses.filter(({ name }: { name: string }) => name === 'claude' || name === 'cursor');
  expect(shown).toMatchObject([
    { command: ['claude'], installed: true, version: '2026.11.1' },
    { command: ['cursor-agent'], installed: true, version: '2026.11.1' },
  ]);
  for (const harness of ['claude', 'cursor']) {
    const { id } = await at.start('hello', { harness });
    await at.untilTeam(id, ({ members }) => members[0]?.state === 'idle' && members[0].spent.turns === 1);
  }
  expect(at.seen().filter(({ finished }) => finished?.includes('hello'))).toHaveLength(2);
});
