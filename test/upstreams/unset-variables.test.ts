import { createServer } from 'node:http';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempHome } from '../zoo-command.ts';

/** Answers every request, and counts them. */
async function startServer() {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked++;
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    asked: () => asked,
    [Symbol.asyncDispose]: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

it('sends and runs nothing with an unset variable, and serves the rest', async () => {
  await using server = await startServer();
  await using home = await tempHome({ 'docs/a.md': 'about refunds' });
  const config = join(home.path, 'config');
  await mkdir(config, { recursive: true });
  await writeFile(join(config, 'say.lua'), 'return { description = "says it" }');
  await writeFile(
    join(config, 'zoo.toml'),
    `[connectors.web.site]
url = "${server.url}/"
headers = { Authorization = "Bearer \${NO_KEY}" }
[connectors.filesystem.docs]
root = "../work/docs"
[embedding]
provider = "openai"
url = "${server.url}"
api_key = "\${NO_EMBEDDING_KEY}"
[tools.script.say]
path = "say.lua"
token = "\${NO_TOKEN}"
`,
  );
  const synced = await home.zoo(['sync']);
  expect(synced.code).toBe(1);
  expect(synced.out).toMatch(
    /connectors\.web\.site\.headers\.Authorization needs the variable NO_KEY, which is not set \(.*zoo\.toml:3\)\. Set NO_KEY with `zoo secret set NO_KEY`/,
  );
  expect(synced.out).toMatch(/filesystem:docs .*1 added/);
  expect(synced.out).toMatch(/embedding\.api_key needs the variable NO_EMBEDDING_KEY.*zoo\.toml:9/);
  expect((await home.zoo(['search', 'refunds'])).out).toContain('a.md');
  expect(server.asked()).toBe(0);

  const checked = await home.zoo(['config', 'check']);
  expect(checked.out + checked.err).toMatch(/tools\.script\.say: .*needs the variable NO_TOKEN/);

  await home.zoo(['sync'], { env: { NO_KEY: 'k', NO_EMBEDDING_KEY: 'k' } });
  expect(server.asked()).toBeGreaterThan(1);
});
