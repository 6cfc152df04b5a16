import { expect, test } from 'vitest';
import { call, held, say as answer } from '../fake-model/script.ts';
import { message, openChatStage, say, turn, steer } from './chat-stage.ts';

const rich = [
  '## Result',
  '',
  'Mass and energy: $E = mc^2$.',
  '',
  '| city | seats |',
  '| --- | ---: |',
  '| Oslo | 2 |',
  '',
  '```ts',
  'const seats = 2;',
  '```',
  '',
  '<img src="https://example.com/spy.png"> and ![a map](https://example.com/map.png)',
].join('\n');

test('an answer is inert Markdown, reasoning and calls are folded, and the tab survives a reload', async () => {
  const thinking = { thought: 'First the **sources**.', ...call('sources') };
  await using stage = await openChatStage([thinking, answer(rich)]);
  const { page } = stage;
  await stage.openChat('ada');
  await page.getByLabel('Files to attach').setInputFiles([
    { name: 'trip.md', mimeType: 'text/markdown', buffer: Buffer.from('# Trip\n') },
    { name: 'gone.txt', mimeType: 'text/plain', buffer: Buffer.from('gone') },
  ]);
  const attached = page.getByRole('list', { name: 'Attached' });
  await attached.getByText('trip.md').waitFor();
  await attached.getByRole('button', { name: 'Remove gone.txt' }).click();
  await say(page, 'Which sources are there?');
  await attached.waitFor({ state: 'detached' });
  const first = turn(page, 1);
  await first.getByText('trip.md').waitFor();
  await first.getByRole('heading', { name: 'Result' }).waitFor();
  await first.locator('math').waitFor();
  await first.getByRole('cell', { name: 'Oslo' }).waitFor();
  await first.getByRole('button', { name: 'Copy the code' }).waitFor();
  await first.getByText('<img src="https://example.com/spy.png">').waitFor();
  await first.getByRole('link', { name: 'Image: a map' }).waitFor();
  await expect.poll(() => first.locator('img').count()).toBe(0);

  expect(JSON.stringify(stage.model.requests[0]?.body)).toContain('# Trip');
  const reasoning = first.getByRole('button', { name: 'Reasoning, 3 words' });
  expect(await first.getByText('First the').count()).toBe(0);
  await reasoning.click();
  await first.getByText('First the').waitFor();

  const sources = first.getByRole('button', { name: /^sources/ });
  await sources.click();
  await first.getByRole('button', { name: 'Copy arguments' }).waitFor();
  await first.getByRole('button', { name: 'Copy result' }).waitFor();

  await first.getByRole('button', { name: 'Context' }).click();
  const context = page.getByRole('dialog', { name: 'Context of this reply' });
  await context.getByText('the persona of the agent').waitFor();
  await context.getByText('You are Ada.').waitFor();
  await page.keyboard.press('Escape');

  await page.reload();
  await turn(page, 1).getByRole('heading', { name: 'Result' }).waitFor();
  const tabs = page.getByRole('navigation', { name: 'Open chats' });
  await tabs.getByRole('link', { name: 'Which sources are there?' }).waitFor();
  await turn(page, 1)
    .getByRole('button', { name: /^sources/ })
    .waitFor();
  await expect.poll(() => page.getByTestId('chat-cost').textContent()).toMatch(/tokens · .* so far/);
  expect(stage.model.problems).toEqual([]);
});

test('a message in mid-run is queued, joins the next step, and Stop ends only the answer', async () => {
  const { step, release } = held('Thinking done.');
  const joined = (text: string) => answer(text);
  await using stage = await openChatStage([
    async (request, signal) => {
      if (typeof step === 'function') await step(request, signal);
      return call('sources');
    },
    joined('Steered.'),
    () => new Promise(() => undefined),
  ]);
  const { page } = stage;
  await stage.openChat('ada');
  await say(page, 'Start');
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  await steer(page, 'Use metric units');
  await page.getByText('Queued, joins the next step: Use metric units').waitFor();
  release();
  await turn(page, 1).getByText('Steered.').waitFor();
  await turn(page, 1).getByText('Use metric units').waitFor();
  await expect.poll(() => page.getByText('Queued, joins the next step').count()).toBe(0);
  expect(stage.model.requests[1]?.messages.at(-1)?.text).toContain('Use metric units');

  await say(page, 'Once more');
  await turn(page, 2).waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await turn(page, 2).getByText('Stopped. The text so far is kept.').waitFor();
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
});

test('an edited message is a branch, and the switch goes back to the first one', async () => {
  await using stage = await openChatStage([
    answer('Oslo it is.'),
    answer('Rome it is.'),
    answer('Rome again.'),
  ]);
  const { page } = stage;
  await stage.openChat('ada');
  await say(page, 'Oslo?');
  await turn(page, 1).getByText('Oslo it is.').waitFor();
  await turn(page, 1).getByRole('button', { name: 'Edit and resend' }).click();
  await page.getByRole('textbox', { name: 'Edited message' }).fill('Rome?');
  await page.getByRole('button', { name: 'Send as a new branch' }).click();
  await turn(page, 2).getByText('Rome it is.').waitFor();
  await expect.poll(() => turn(page, 1).count()).toBe(0);
  await turn(page, 2).getByText('2 of 2').waitFor();
  await turn(page, 2).getByRole('button', { name: 'Previous branch' }).click();
  await turn(page, 1).getByText('Oslo it is.').waitFor();
  await turn(page, 1).getByRole('button', { name: 'Next branch' }).click();
  await turn(page, 2).getByRole('button', { name: 'Retry' }).click();
  await turn(page, 3).getByText('Rome again.').waitFor();
  await turn(page, 3).getByText('3 of 3').waitFor();
});

test('streaming does not move the page under a reader who scrolled up', async () => {
  const long = Array.from({ length: 60 }, (_, index) => `Paragraph ${index} of a long answer.`).join('\n\n');
  const { step, release } = held(long);
  await using stage = await openChatStage([answer(long), step, answer('That is all.')]);
  const { page } = stage;
  await stage.openChat('ada');
  await say(page, 'Tell me everything');
  await turn(page, 1).getByText('Paragraph 59 of a long answer.').waitFor();
  await say(page, 'Go on');
  await turn(page, 2).waitFor();
  const thread = page.getByTestId('thread');
  const atEnd = () => thread.evaluate((it) => it.scrollHeight - it.clientHeight - it.scrollTop < 50);
  await expect.poll(atEnd).toBe(true);
  const jump = page.getByRole('button', { name: 'Jump to latest' });
  const scrollUp = () => thread.evaluate((it) => it.scrollTo(0, it.scrollHeight - it.clientHeight - 900));
  await expect.poll(() => scrollUp().then(() => jump.isVisible())).toBe(true);
  const before = await thread.evaluate(async (it) => {
    // Turns that come into view are measured first: wait until it stands still.
    for (let last = -1; last !== it.scrollTop;) {
      last = it.scrollTop;
      // A busy machine draws no frame for a while.
      await new Promise(requestAnimationFrame);
      await new Promise((resolve) => setTimeout(resolve, 300));
      await new Promise(requestAnimationFrame);
    }
    return it.scrollTop;
  });
  const height = await thread.evaluate((it) => it.scrollHeight);
  release();
  await expect.poll(() => thread.evaluate((it) => it.scrollHeight)).toBeGreaterThan(height);
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
  expect(await thread.evaluate((it) => it.scrollTop)).toBe(before);
  // Whoever sends a message wants to see what becomes of it.
  await say(page, 'And then?');
  await turn(page, 3).getByText('That is all.').waitFor();
  await expect.poll(atEnd).toBe(true);
  await turn(page, 2).getByText('Paragraph 59 of a long answer.').waitFor();
  await expect.poll(() => scrollUp().then(() => jump.isVisible())).toBe(true);
  await jump.click();
  await expect.poll(atEnd).toBe(true);
});

test('a chat starts with some skills, a document in view and the models that work', async () => {
  const agent = {
    id: 'ada',
    name: 'Ada',
    systemPrompt: 'You are Ada.',
    tools: ['sources'],
    model: 'anthropic/claude-haiku-4-5',
    skills: [{ id: 'brief', name: 'Be brief', description: 'Answer in five words.', enabled: true }],
    context: [{ query: 'rollback', limit: 1 }],
  };
  const files = {
    'zoo.toml':
      '[connectors.filesystem.docs]\nroot = "docs"\n\n[providers.gone]\nbase_url = "http://127.0.0.1:9/v1"\n\n[providers.gone.models.lost]\ncontext_window = 1000\n',
    'docs/deploy.md': '# Deploying\n\nA rollback redeploys the previous tag.\n',
    'docs/names.md': '# Names\n\nTags carry a version.\n',
  };
  await using stage = await openChatStage([answer('By the previous tag.')], { agents: [agent], files });
  const { page, zoo } = stage;
  await zoo.home.zoo(['trust', '--yes']);
  await zoo.home.zoo(['sync']);
  const found = Object(await zoo.call('POST', '/api/knowledge/search', { query: 'rollback', limit: 1 }));
  await page.goto(`${zoo.url}/chat?agent=ada&document=${found.results[0].id}`);
  await page.getByRole('button', { name: '1 in view' }).waitFor();
  await page.getByRole('checkbox', { name: 'Be brief' }).click();
  const models = page.getByRole('combobox', { name: 'Model' });
  await expect.poll(() => models.locator('option').count()).toBeGreaterThan(1);
  expect(await models.locator('option').allTextContents()).not.toContain('gone/lost');
  await page.getByRole('button', { name: 'Start chat' }).click();
  await message(page).waitFor();
  await page.getByText('Unsaved draft').waitFor();
  const attached = page.getByRole('list', { name: 'Attached' });
  await attached.getByText('deploy.md').waitFor();
  await page.getByRole('button', { name: 'Attach a document' }).click();
  const picker = page.getByRole('dialog', { name: 'Attach a document' });
  await picker.getByRole('searchbox', { name: 'Search documents' }).fill('version');
  await picker.getByRole('button', { name: /^Names/ }).click();
  await attached.getByText('names.md').waitFor();
  await say(page, 'How do I roll back?');
  await turn(page, 1).getByText('By the previous tag.').waitFor();
  const [request] = stage.model.requests;
  expect(request?.system).not.toContain('Answer in five words.');
  const chat = await zoo.call('GET', `/api/chats/${new URL(page.url()).pathname.split('/').at(-1)}`);
  const document = '# Deploying\n\nA rollback redeploys the previous tag.\n';
  expect(chat).toMatchObject({
    history: [
      {
        input: [
          { text: 'How do I roll back?' },
          { name: 'deploy.md', data: Buffer.from(document).toString('base64') },
          { name: 'names.md' },
        ],
      },
    ],
  });
  await turn(page, 1).getByText('deploy.md').waitFor();

  await turn(page, 1).getByRole('button', { name: 'Context' }).click();
  const context = page.getByRole('dialog', { name: 'Context of this reply' });
  await context.getByText(/^\$0\.\d+, [\d,]+ tokens in and \d+ out$/).waitFor();
  const part = context.getByRole('row').filter({ hasText: 'found for a context query' });
  await part.getByText(/filesystem:docs\/deploy\.md/).waitFor();
  expect(await part.getByRole('cell').allTextContents()).toEqual([
    'Deploying',
    expect.stringContaining('found for a context query'),
    expect.stringMatching(/^[01]\.\d\d$/),
    expect.stringMatching(/^\d+$/),
  ]);
  await context.getByRole('link', { name: /^1 step/ }).click();
  await page.getByRole('list', { name: 'Timeline' }).getByText('By the previous tag.').waitFor();
});
