import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { expect, it } from 'vitest';
import { wireTableForVite } from '../scripts/wire-table.js';
import { tempFolder } from './temp-folder.ts';

it('keeps the schema library out of a page that Vite builds', async () => {
  await using folder = await tempFolder({
    'index.html': '<script type="module" src="./page.ts"></script>',
    'page.ts': `import { createClient } from '${join(import.meta.dirname, '../src/client.ts')}';\n
const client = createClient(() => Promise.reject(new Error('offline')));\n
void client.call('health', {});\n`,
  });
  const { output } = await outputOf(folder.path);
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  expect(modules.some((id) => id.endsWith('/contract/table/wire.ts'))).toBe(true);
  expect(modules.filter((id) => id.includes('/zod/') || id.includes('/contract/operations/'))).toEqual([]);
  const code = output.flatMap((file) => (file.type === 'chunk' ? [file.code] : [])).join('');
  expect(code).toContain('/api/agents/{id}');
});

it('builds the page without the development build of React, whatever NODE_ENV says', async () => {
  const assets = await readdir(join(import.meta.dirname, '../dist/web/assets'));
  expect(assets.filter((name) => name.includes('jsx'))).toEqual([expect.stringMatching(/^jsx-runtime-/)]);
});

async function outputOf(root: string) {
  const built = await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: { write: false },
    plugins: [wireTableForVite()],
  });
  if (!('output' in built)) throw new Error('expected one build');
  return built;
}
