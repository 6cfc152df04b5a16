import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { tempFolder } from '../temp-folder.ts';
import { ownConfig } from '../teams/team-stage.ts';
import { openZoo } from './open-zoo.ts';

const act = (tool: string, args: object): string => `!${tool} ${JSON.stringify(args)}`;

const task = [
  act('spawn_agent', { name: 'helper', instructions: 'Answer every question.' }),
  act('spawn_agent', { name: 'writer', instructions: '!write notes.txt', worktree: true }),
  act('spawn_agent', { name: 'scout', instructions: '!crash' }),
].join('\n');

function makeRepository(folder: string): void {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: folder });
  git('init', '-q');
  git('add', 'notes.txt');
  git('commit', '-q', '-m', 'first');
}

test('a team is started, watched, written to, asked for permission, ended and replayed', async () => {
  await using notes = await tempFolder();
  const files = {
    '../config/zoo.toml': ownConfig(join(notes.path, 'oracle.jsonl')),
    'notes.txt': 'one\n',
  };
  await using zoo = await openZoo({ files, path: '/teams' });
  const { page } = zoo;
  makeRepository(zoo.home.work);
  await page.getByRole('button', { name: 'Start a team' }).click();
  const sheet = page.getByRole('dialog', { name: 'Start a team' });
  await sheet.getByRole('textbox', { name: 'Name', exact: true }).fill('Crew');
  await sheet.getByRole('combobox', { name: 'Harness of root' }).selectOption('fake');
  await sheet.getByRole('textbox', { name: 'Task of root' }).fill(task);
  await sheet.getByRole('button', { name: 'Start team' }).click();

  await page.getByRole('heading', { name: 'Crew', level: 1 }).waitFor();
  const members = page.getByRole('list', { name: 'Members' });
  const member = (name: string) => members.getByRole('link', { name: new RegExp(`${name}, a `) });
  await member('scout').getByText('Failed', { exact: true }).waitFor();
  await member('helper').getByText('Idle', { exact: true }).waitFor();
  const groups = page.getByRole('list', { name: 'At a glance' }).getByRole('listitem');
  await groups.filter({ hasText: 'Needs you' }).getByRole('link', { name: 'scout', exact: true }).waitFor();
  const log = page.getByRole('log', { name: 'Messages' });
  const toScout = log.getByRole('article').filter({ hasText: 'root → scout' });
  await toScout.getByText('dead', { exact: true }).waitFor();
  const deaths = async (): Promise<number> => {
    const { entries } = Object(await zoo.call('GET', `/api${new URL(page.url()).pathname}/timeline`));
    return z
      .array(z.looseObject({ state: z.string().optional(), message: z.looseObject({}).optional() }))
      .parse(entries)
      .filter(({ state, message }) => state === 'dead' && message?.['to'] === 'scout').length;
  };
  const before = await deaths();
  await toScout.getByRole('button', { name: 'Deliver again' }).click();
  // It crashes again. Until then, messages to everybody could reach it or not.
  await expect.poll(deaths).toBeGreaterThan(before);
  await member('scout').getByText('Failed', { exact: true }).waitFor();

  const form = page.getByRole('form', { name: 'Send a message' });
  const write = async (to: string, text: string): Promise<void> => {
    await form.getByRole('combobox', { name: 'To' }).selectOption(to);
    await form.getByRole('textbox', { name: 'Message' }).fill(text);
    await form.getByRole('button', { name: to === 'Everybody' ? 'Broadcast' : 'Send', exact: true }).click();
  };
  const send = async (to: string, text: string): Promise<void> => {
    await write(to, text);
    await expect.poll(() => form.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('');
  };
  await send('helper', '!ask execute /etc/hostname');
  const questions = page.getByRole('list', { name: 'Waits for you' });
  await member('helper').getByText('Waits for you', { exact: true }).waitFor();
  await questions.getByRole('button', { name: 'Allow', exact: true }).click();
  await questions.waitFor({ state: 'detached' });
  const reply = act('send_message', { recipient: 'root', text: 'Half way.', sync: false });
  const question = `How far are you?\n${reply}`;
  await send('root', act('send_message', { recipient: 'helper', text: question, sync: true }));
  const toHelper = log.getByRole('article').filter({ hasText: 'root → helper' });
  await toHelper.filter({ hasText: 'How far are you?' }).getByText('answered', { exact: true }).waitFor();
  const toRoot = log.getByRole('article').filter({ hasText: 'helper → root' });
  await toRoot.filter({ hasText: 'Half way.' }).getByText('read', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  // Nobody takes a message of a paused team.
  await send('helper', 'Wait a moment.');
  const held = log.getByRole('article').filter({ hasText: 'Wait a moment.' });
  await held.getByText('queued', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await held.getByText('read', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  await send('Everybody', 'Good work.');
  for (const name of ['root', 'helper', 'writer']) {
    const sent = log
      .getByRole('article')
      .filter({ hasText: `user → ${name}` })
      .filter({ hasText: 'Good work.' });
    await sent.getByText('read', { exact: true }).waitFor();
  }

  await member('helper').click();
  const inFull = page.getByRole('dialog', { name: 'helper' });
  await inFull.getByRole('heading', { name: /^Turn 2/ }).waitFor();
  await page.keyboard.press('Escape');
  await inFull.waitFor({ state: 'detached' });

  await member('writer').click();
  const writer = page.getByRole('dialog', { name: 'writer' });
  const work = writer.getByRole('region', { name: 'Changes in its folder' });
  await work.getByText('notes.txt', { exact: true }).waitFor();
  await work.getByText('The diff', { exact: true }).click();
  await work.getByText('+written').waitFor();
  await writer.getByRole('button', { name: 'Stop it and everything below' }).click();
  await work.getByRole('button', { name: 'Merge', exact: true }).click();
  await work.getByText('merged', { exact: true }).waitFor();
  expect(readFileSync(join(zoo.home.work, 'notes.txt'), 'utf8')).toBe('written');
  await page.keyboard.press('Escape');
  await writer.waitFor({ state: 'detached' });

  // This ends the team, and an ended team has no form to look at.
  await write('root', act('complete', { result: 'All is well.' }));
  const position = page.getByRole('slider', { name: 'Position in the replay' });
  await position.waitFor();
  await log.getByRole('article').filter({ hasText: 'All is well.' }).last().waitFor();
  await position.fill('1');
  await member('helper').waitFor({ state: 'detached' });
  await position.press('End');
  await member('helper').getByText('Stopped', { exact: true }).waitFor();
});

test('a team file fills the form, and Home lists its dead letters beside failed syncs', async () => {
  await using notes = await tempFolder({
    'crew.toml': [
      '[team]\nname = "From a file"\n[[team.member]]\nname = "lead"\nharness = "fake"',
      'budget = { turns = 12, tokens = 20000 }',
      "task = '''",
      '!use Read the manual',
      '!say The manual is read.',
      act('spawn_agent', { name: 'scout', instructions: '!crash' }),
      "'''\n",
    ].join('\n'),
    'broken.toml': '[team\n',
  });
  const files = {
    '../config/zoo.toml': ownConfig(join(notes.path, 'oracle.jsonl')),
    'zoo.toml': '[connectors.filesystem.lost]\nroot = "lost"\n',
  };
  await using zoo = await openZoo({ files, path: '/teams' });
  const { page } = zoo;
  await page.getByRole('button', { name: 'Start a team' }).click();
  const sheet = page.getByRole('dialog', { name: 'Start a team' });
  await sheet.getByLabel('Team file').setInputFiles(join(notes.path, 'broken.toml'));
  await sheet.getByText(/The team file is not valid TOML/).waitFor();
  await sheet.getByLabel('Team file').setInputFiles(join(notes.path, 'crew.toml'));
  await expect.poll(() => sheet.getByRole('textbox', { name: 'Name of the root' }).inputValue()).toBe('lead');
  await sheet.getByRole('button', { name: 'Start team' }).click();
  await page.getByRole('heading', { name: 'From a file', level: 1 }).waitFor();
  await page.getByRole('log', { name: 'Messages' }).getByText('dead', { exact: true }).waitFor();

  await page
    .getByRole('list', { name: 'Members' })
    .getByRole('link', { name: /lead, a / })
    .click();
  const lead = page.getByRole('dialog', { name: 'lead' });
  await lead.getByText('12 turns, 20,000 tokens', { exact: true }).waitFor();
  const first = lead.getByRole('article').filter({ hasText: /^Turn 1/ });
  await first.getByText('Used Read the manual', { exact: true }).waitFor();
  await first.getByText('The manual is read.', { exact: true }).waitFor();
  await first.getByText('What it was given', { exact: true }).click();
  await first.getByText('!say The manual is read.').waitFor();

  await page.goto(`${zoo.url}/home`);
  const waiting = page.getByRole('region', { name: 'Waits for you' }).getByRole('listitem');
  await waiting
    .filter({ hasText: 'The last sync of lost failed.' })
    .getByText(/does not exist/)
    .waitFor();
  const letters = waiting.filter({ hasText: '1 message of team From a file could not be delivered.' });
  await letters.getByRole('link', { name: 'Look' }).click();
  await page.getByRole('button', { name: 'Stop team' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stop' }).click();
  await page.getByText('Stopped', { exact: true }).first().waitFor();
});
