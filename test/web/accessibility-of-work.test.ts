import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startFakeModel } from '../fake-model/fake-model.ts';
import { call, say } from '../fake-model/script.ts';
import { ownConfig } from '../teams/team-stage.ts';
import { tempFolder } from '../temp-folder.ts';
import { findingsOf } from './axe-findings.ts';
import { focused, press, tabTo } from './by-keyboard.ts';
import { LOOKS_MS } from './check-look.ts';
import { cutTexts } from './cut-texts.ts';
import { openZoo } from './open-zoo.ts';

const tool = 'agent_zoo_create_brain_entry';
const ada = { id: 'ada', name: 'Ada', systemPrompt: 'You are Ada.', tools: [tool] };
const entry = { agentId: 'ada', type: 'note', content: 'Tea at four.' };
const root = { name: 'root', harness: 'fake', task: '!sleep 1' };

test(
  'home, runs and teams are clean for axe, on a narrow screen too, and work by keyboard',
  async () => {
    await using notes = await tempFolder();
    await using model = await startFakeModel([call(tool, entry), say('Noted.')]);
    const env = { ANTHROPIC_API_KEY: 'sk-secret-key-of-tests', ANTHROPIC_BASE_URL: model.url };
    const files = { '../config/zoo.toml': ownConfig(join(notes.path, 'oracle.jsonl')) };
    await using zoo = await openZoo({ env, files });
    const { page } = zoo;
    await zoo.call('POST', '/api/agents', ada);
    const run = Object(
      await zoo.call('POST', '/api/runs', { agent: 'ada', prompt: 'Remember tea', interactive: true }),
    );
    const team = Object(await zoo.call('POST', '/api/teams', { name: 'Crew', members: [root] }));

    /** Each with an element that is there once the page has its data. */
    const pages: readonly [path: string, complete: (page: Page) => Locator][] = [
      ['/home', (at) => at.getByRole('region', { name: 'Waits for you' }).getByText('"Tea at four."')],
      ['/runs', (at) => at.getByRole('list', { name: 'Runs' }).getByRole('link')],
      ['/runs?show=jobs', (at) => at.getByRole('list', { name: 'Jobs' }).getByRole('link')],
      [`/runs/${run.id}`, (at) => at.getByRole('group', { name: `Approval of ${tool}` })],
      ['/teams', (at) => at.getByRole('list', { name: 'Teams' }).getByRole('link')],
      [`/teams/${team.id}`, (at) => at.getByRole('log').getByRole('article')],
      [
        `/teams/${team.id}?member=root`,
        (at) => at.getByRole('dialog').getByRole('heading', { name: /^Turn 1/ }),
      ],
    ];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const [path, complete] of pages) {
        await page.goto(zoo.url + path);
        await complete(page).first().waitFor();
        expect({ path, findings: await findingsOf(page) }).toEqual({ path, findings: [] });
        if (colorScheme === 'light') continue;
        await page.setViewportSize({ width: 390, height: 844 });
        await expect.poll(async () => ({ path, cut: await cutTexts(page) })).toEqual({ path, cut: [] });
        await page.setViewportSize({ width: 1440, height: 900 });
      }
    }

    await page.goto(`${zoo.url}/teams/${team.id}`);
    await page.getByRole('form', { name: 'Send a message' }).waitFor();
    await tabTo(page, 'Message');
    await page.keyboard.type('Well done');
    await press(page, 'Send');
    await page.getByRole('log').getByText('Well done', { exact: true }).waitFor();
    await press(page, 'Stop team');
    await expect.poll(() => focused(page)).not.toBe('Stop team');
    await press(page, 'Stop');
    await page.getByText('Stopped', { exact: true }).first().waitFor();

    await page.goto(`${zoo.url}/runs`);
    await page.getByRole('list', { name: 'Runs' }).getByRole('link').first().waitFor();
    await press(page, `/runs/${run.id}`);
    await page.getByRole('group', { name: `Approval of ${tool}` }).waitFor();
    await page.keyboard.press('a');
    await page.getByRole('list', { name: 'Timeline' }).getByText('Noted.', { exact: true }).waitFor();
    await page.goto(`${zoo.url}/home`);
    await page
      .getByRole('region', { name: 'Waits for you' })
      .getByText(/^Nothing needs you\./)
      .waitFor();
  },
  LOOKS_MS,
);
