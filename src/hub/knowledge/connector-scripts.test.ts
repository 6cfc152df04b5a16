import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/temp-folder.ts';
import type { ScriptItem } from '../../knowledge/connector.ts';
import { createSecretMask } from '../../platform/text/secret-mask.ts';
import { createConnectorScripts } from './connector-scripts.ts';

it('masks the secrets of a script in its documents', async () => {
  await using folder = await tempFolder({ 'wiki.lua': '' });
  const secret = 'wiki-token-1234567890';
  const run = createConnectorScripts(
    {
      async call(_file, { host }) {
        const url = `https://wiki.example.com/1?token=${secret}`;
        await host.emit?.({ path: 'a.md', url, body: `From ${url}`, metadata: { from: [url] } });
        return { value: [{ path: 'b.md', body: `From ${url}` }], logs: [], hostCalls: {}, tookMs: 1 };
      },
    },
    { WIKI_TOKEN: secret },
    createSecretMask(),
  );
  const items: ScriptItem[] = [];
  await run(
    {
      owner: null,
      type: 'script',
      name: 'wiki',
      folder: folder.path,
      config: { path: 'wiki.lua', token: secret },
      written: { path: 'wiki.lua', token: '${WIKI_TOKEN}' },
    },
    null,
    async (item) => void items.push(item),
    new AbortController().signal,
  );
  expect(items.map(({ path }) => path)).toEqual(['a.md', 'b.md']);
  expect(JSON.stringify(items)).not.toContain(secret);
});
