import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { TeamDetails } from '../../src/contract/team.ts';
import { readOperatorToken } from '../../src/platform/home/access.ts';
import { tempHome } from '../zoo-command.ts';
import { whyNot, works } from './in-sandbox.ts';
import { poll, readNotes } from './team-stage.ts';

const folderOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const call = (tool: string, args: object): string => `!${tool} ${JSON.stringify(args)}`;

test.runIf(works)(
  `a team works together without a network, one member over HTTP and one over stdio${whyNot}`,
  { timeout: 120_000 },
  async () => {
    await using home = await tempHome();
    const [zooHome, config] = [String(home.env['ZOO_HOME']), String(home.env['ZOO_CONFIG_DIR'])];
    const oracle = join(home.work, 'oracle.jsonl');
    const harness = (name: string, ...args: string[]): string =>
      [
        `[harness.${name}]`,
        `command = ${JSON.stringify([process.execPath, folderOf('fake-acp-agent.js'), ...args])}`,
        `read = ${JSON.stringify([folderOf('.'), folderOf('../../node_modules')])}`,
        `env = { ORACLE = ${JSON.stringify(oracle)} }\n`,
      ].join('\n');
    mkdirSync(config, { recursive: true });
    writeFileSync(
      join(config, 'zoo.toml'),
      `[team]\nnetwork = "off"\n${harness('http')}${harness('stdio', '--stdio')}`,
    );
    const { url } = await home.serve();
    const request = async (path: string, body: object): Promise<TeamDetails> => {
      const response = await fetch(url + path, {
        headers: {
          authorization: `Bearer ${readOperatorToken(zooHome) ?? ''}`,
          'content-type': 'application/json',
        },
        method: 'POST',
        body: JSON.stringify(body),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(text);
      return JSON.parse(text);
    };
    const answer = call('send_message', { recipient: 'root', text: 'All is well.', sync: false });
    const ask = call('send_message', {
      recipient: 'helper',
      text: `How is it?\n!shell ls -A ${zooHome}\n${answer}`,
    });
    const members = [
      { name: 'root', harness: 'http', task: ask },
      { name: 'helper', harness: 'stdio', task: '!shell touch /etc/mine' },
    ];
    const { id } = await request('/api/teams', { name: 'confined', members });
    const seen = await poll(
      'the reply',
      async () => readNotes(oracle),
      (notes) => notes.some(({ finished }) => finished?.includes('Reply from helper')),
    );
    const [asked, answered] = seen.filter(({ tool }) => tool === 'send_message').map(({ result }) => result);
    expect(asked).toMatchObject({ status: 'sent', waiting_for_reply: true });
    expect(answered).toMatchObject({ status: 'sent', waiting_for_reply: false });
    expect(seen.find(({ prompt }) => prompt?.includes('Reply from helper'))?.prompt).toContain(
      `(to message ${String(asked?.['message_id'])})`,
    );
    const outputs = seen.flatMap(({ shell, output }) => (shell === undefined ? [] : [output]));
    expect(outputs).toEqual([
      expect.stringContaining('Read-only file system'),
      expect.stringContaining('No such file'),
    ]);
    await request(`/api/teams/${id}/stop`, {});
  },
);
