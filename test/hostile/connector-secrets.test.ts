import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startFakeEmbeddings } from '../knowledge/fake-embeddings.ts';
import { tempHome } from '../zoo-command.ts';
import { serving } from './ask-hub.ts';

const SECRETS = { TEAM_NAME: 'plainword', PIN_SECRET: '4711', LONG: 'sk-0123456789abcdef' };
/** Only in the `.env` of the workspace. */
const FROM_FILE = 'wombat-of-the-file';

const config = (embeddings: string) => `[connectors.script.pages]
path = "pages.lua"
team = "\${TEAM_NAME}"
pin = "\${PIN_SECRET}"
long = "\${LONG}"
file = "\${FROM_FILE}"
[connectors.filesystem.docs]
root = "docs"
[embedding]
provider = "openai"
url = "${embeddings}"
model = "any"
[agents.reader]
system_prompt = "Read."
[[agents.reader.context]]
query = "platypus"
`;

/** Puts its settings into every field of a document, its log, what it returns and its errors. */
const SCRIPT = `connector = { description = "d" }
function connector.scan(config, checkpoint)
  local all = config.team .. " " .. config.pin .. " " .. config.long .. " " .. config.file
  log.warn("scanning with " .. all)
  if checkpoint ~= nil then error("failed with " .. all) end
  emit({ path = "a-" .. config.team .. "-" .. config.file .. ".md", title = "page " .. all, body = "platypus " .. all,
    url = "https://example.com/?key=" .. config.long, metadata = { author = all } })
  return { items = { { path = "b.md", body = "returned platypus " .. all } }, checkpoint = { at = all } }
end
`;

it('a script connector leaks none of its secrets: not by documents, embeddings, logs or errors', async () => {
  await using embeddings = await startFakeEmbeddings();
  await using home = await tempHome({
    'zoo.toml': config(embeddings.url),
    'pages.lua': SCRIPT,
    'docs/copied.md': `platypus ${FROM_FILE} ${SECRETS.LONG}`,
    '.env': `FROM_FILE=${FROM_FILE}\n`,
  });
  Object.assign(home.env, SECRETS);
  const ask = await serving(home);
  await home.zoo(['trust', '--yes']);
  const seen: string[] = [];
  const cli = async (...args: string[]) => {
    const { out, err } = await home.zoo(args);
    seen.push(out, err);
    return out + err;
  };
  const http = async (method: string, path: string, body?: object) => {
    const text = JSON.stringify((await ask(method, path, { body })).body);
    seen.push(text);
    return text;
  };
  await cli('connector', 'test', 'pages');
  // An approval starts a sync.
  await expect.poll(() => cli('search', 'platypus'), { interval: 300 }).toContain('**platypus** [redacted]');
  const embedded = () =>
    embeddings.calls.flatMap(({ body }) => body.input).filter((text) => /platypus \[/.test(text));
  await expect.poll(() => embedded().length).toBeGreaterThanOrEqual(3);
  await cli('get', 'pages', 'b.md');
  await cli('sources');
  expect(await http('POST', '/tools/search', { query: 'platypus' })).toContain('[redacted]');
  await http('POST', '/agents/reader/prompt', { arguments: {} });
  expect(await cli('sync')).toContain('failed with [redacted]');
  await cli('sources');
  await cli('config', 'check');
  await http('GET', '/api/diagnostics');
  seen.push(...embeddings.calls.flatMap(({ body }) => body.input));
  seen.push(await readFile(join(home.path, 'home/logs/hub.log'), 'utf8'));

  for (const secret of [...Object.values(SECRETS), FROM_FILE]) {
    const pattern = secret === '4711' ? /\b4711\b/ : new RegExp(secret);
    const leaks = seen.filter((text) => pattern.test(text));
    expect({ secret, leaks }).toEqual({ secret, leaks: [] });
  }
});
