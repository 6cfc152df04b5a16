import { join } from 'node:path';
import { expect, test } from 'vitest';
import { say as answer } from '../fake-model/script.ts';
import { ownConfig } from '../teams/team-stage.ts';
import { tempFolder } from '../temp-folder.ts';
import { openChatStage, say, turn } from './chat-stage.ts';

/** Each page with a heading that is there once its script has run. */
const pages = (team: string, run: string, chat: string): Record<string, RegExp> => ({
  '/home': /^Home$/,
  '/': /^Zoo$/,
  '/welcome': /./,
  '/chat': /^New chat$/,
  [`/chat/${chat}`]: /^A formula/,
  '/compare?a=ada': /^Compare$/,
  '/runs': /^Runs and jobs$/,
  [`/runs/${run}`]: /^Run$/,
  '/teams': /^Teams$/,
  [`/teams/${team}?member=root`]: /^Crew$/,
  '/knowledge': /^Knowledge$/,
  '/tools': /^Tools$/,
  '/activity': /^Activity$/,
  '/settings': /^Settings$/,
  '/agent/ada/persona': /^Ada$/,
  '/agent/ada/published': /^Ada$/,
});

test('every page works without a network: nothing is loaded from elsewhere, fonts and scripts included', async () => {
  await using notes = await tempFolder();
  const files = { '../config/zoo.toml': ownConfig(join(notes.path, 'oracle.jsonl')) };
  await using stage = await openChatStage([answer('$x^2$ and ![a map](https://example.com/map.png)')], {
    files,
  });
  const { page, zoo } = stage;
  const foreign: string[] = [];
  await page.context().route(
    (url) => url.origin !== zoo.url && url.protocol !== 'data:' && url.protocol !== 'blob:',
    async (route) => {
      foreign.push(route.request().url());
      await route.abort();
    },
  );
  const chat = await stage.openChat('ada');
  await say(page, 'A formula');
  await turn(page, 1).locator('math').waitFor();
  const { runs } = Object(await zoo.call('GET', `/api/runs?chat=${chat}`));
  const member = { name: 'root', harness: 'fake', task: '!say Hello.' };
  const team = Object(await zoo.call('POST', '/api/teams', { name: 'Crew', members: [member] }));
  for (const [path, heading] of Object.entries(pages(team.id, runs[0].id, chat))) {
    const opened = await page.goto(zoo.url + path);
    expect(await opened?.headerValue('content-security-policy')).toContain("connect-src 'self'");
    await page.getByRole('heading', { name: heading, level: 1, includeHidden: true }).first().waitFor();
  }
  await page.goto(`${zoo.url}/home`);
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  const fonts = await page.evaluate(async () => {
    const names = ['Newsreader', 'Inter', 'JetBrains Mono'];
    const loaded = await Promise.all(names.map((name) => document.fonts.load(`16px "${name}"`)));
    return loaded.map((faces) => faces.some(({ status }) => status === 'loaded'));
  });
  expect(fonts).toEqual([true, true, true]);
  expect(foreign).toEqual([]);
});
