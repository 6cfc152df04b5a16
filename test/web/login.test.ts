import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { openZoo } from './open-zoo.ts';

const files = {
  'zoo.toml':
    '[agents.helper]\ndescription = "Answers questions about this repository"\nsystem_prompt = "Help."\n',
};

test('the link of `zoo open` leads to the zoo, works once and leaves no code behind', async () => {
  await using zoo = await openZoo({ files });
  const { page } = zoo;
  await page.getByRole('heading', { name: 'Zoo', exact: true }).waitFor();
  await page.getByText('Answers questions about this repository').waitFor();
  expect(page.url()).toBe(`${zoo.url}/`);

  const link = (await zoo.home.zoo(['open'])).out.trim();
  const first = await zoo.openStranger();
  await first.goto(link);
  await first.getByText('Answers questions about this repository').waitFor();
  const second = await zoo.openStranger();
  await second.goto(link);
  await second.getByText('zoo open').first().waitFor();
  expect(await second.getByText('Answers questions').count()).toBe(0);
});

test('a server on another port of the same host gets nothing that opens the hub', async () => {
  await using zoo = await openZoo({ files });
  await zoo.page.getByText('Answers questions about this repository').waitFor();
  const requests: IncomingMessage[] = [];
  const other = createServer((incoming, outgoing) => {
    requests.push(incoming);
    outgoing.setHeader('content-type', 'text/html').end('<title>Elsewhere</title>');
  }).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const elsewhere = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  try {
    // A window of the same browser, signed in to the hub next door.
    const window = await zoo.openWindow();
    await window.goto(elsewhere);
    expect(
      await window.evaluate(() => [document.cookie, localStorage.length, sessionStorage.length]),
    ).toEqual(['', 0, 0]);
    const sent = requests.map(({ headers }) => [headers.cookie, headers.authorization, headers.referer]);
    expect(sent.flat().filter((value) => value !== undefined)).toEqual([]);
    const answers = await window.evaluate(async (hub) => {
      const attempt = async (path: string, init: RequestInit): Promise<string> => {
        try {
          const response = await fetch(hub + path, init);
          return `${response.status} ${await response.text()}`;
        } catch {
          return 'refused';
        }
      };
      return [
        await attempt('/api/agents', { credentials: 'include' }),
        await attempt('/api/agents', { method: 'POST', credentials: 'include', body: '{"name":"x"}' }),
      ];
    }, zoo.url);
    expect(answers).toEqual(['refused', 'refused']);
    const frame = await window.evaluate(async (hub) => {
      const element = document.createElement('iframe');
      element.src = hub;
      document.body.append(element);
      await new Promise((resolve) => element.addEventListener('load', resolve));
      try {
        return element.contentWindow?.localStorage.length;
      } catch {
        return 'closed';
      }
    }, zoo.url);
    expect(frame).toBe('closed');
  } finally {
    other.close();
  }
});

test('a change from the command line appears without a reload', async () => {
  await using zoo = await openZoo({ files });
  await zoo.page.getByText('Answers questions about this repository').waitFor();
  await zoo.call('POST', '/api/agents', { name: 'Gardener', description: 'Prunes dead code' });
  await zoo.page.getByText('Prunes dead code').waitFor();
  await zoo.home.write('zoo.toml', files['zoo.toml'].replace('this repository', 'everything'));
  await zoo.page.getByText('Answers questions about everything').waitFor();
});

test('the page says that the hub is away, and catches up when it is back', async () => {
  await using zoo = await openZoo({ files });
  await zoo.page.getByText('Answers questions about this repository').waitFor();
  await zoo.kill();
  const note = zoo.page.getByRole('status').getByText('The hub is not responding');
  await note.waitFor();
  await zoo.restart();
  await zoo.call('POST', '/api/agents', { name: 'Gardener', description: 'Prunes dead code' });
  await zoo.page.getByText('Prunes dead code').waitFor();
  await note.waitFor({ state: 'detached' });
});
