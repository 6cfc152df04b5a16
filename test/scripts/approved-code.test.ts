import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type RunningHub, startHub } from '../start-hub.ts';

/** Approved, and with nobody watching its files: what changes is noticed by whatever reads it, or not at all. */
async function approvedHub(files: Record<string, string>): Promise<RunningHub> {
  const hub = await startHub(files, { watch: false });
  const { body } = await hub.request('GET', '/api/trust');
  await hub.request('PUT', '/api/trust', { hash: body.hash });
  return hub;
}

const write = (hub: RunningHub, file: string, text: string) => writeFile(join(hub.folder, file), text);
const resolve = (hub: RunningHub, id: string) =>
  hub.request('POST', `/agents/${id}/prompt`, { arguments: {} });
const untrusted = (message: string) => ({
  status: 403,
  body: { error: { code: 'untrusted', message: expect.stringContaining(message) } },
});
const serves = (system: string) => ({ status: 200, body: { result: { system } } });

describe('only approved code runs', () => {
  it('of a Lua agent: later changes of its files are refused', async () => {
    await using hub = await approvedHub({
      'zoo.toml': '[agents.script.a]\npath = "agents/a.lua"\n',
      'agents/a.lua':
        'return { resolve = function(args) return { system = pcall(require, "absent") and "loaded" or require("late") } end }',
      'agents/late.lua': 'return "approved"',
    });
    expect(await resolve(hub, 'a')).toMatchObject(serves('approved'));

    await write(hub, 'agents/a.lua', 'return { resolve = function() return { system = "changed" } end }');
    expect(await resolve(hub, 'a')).toMatchObject(serves('approved'));

    await write(hub, 'agents/late.lua', 'return "changed"');
    expect(await resolve(hub, 'a')).toMatchObject(untrusted('late.lua has changed since you approved it'));
    await write(hub, 'agents/late.lua', 'return "approved"');
    expect(await resolve(hub, 'a')).toMatchObject(serves('approved'));

    await write(hub, 'agents/absent.lua', 'return "was not there"');
    expect(await resolve(hub, 'a')).toMatchObject(untrusted('absent.lua is not part of the approval'));
  });

  it('of a Lua tool and a connector', async () => {
    const tool = (word: string) => `return { execute = function() return "${word}" end, description = "d" }`;
    const connector = (word: string) =>
      `return { scan = function() emit({ path = "a.md", body = "${word}" }) end }`;
    await using hub = await approvedHub({
      'zoo.toml':
        '[tools.script.say]\npath = "scripts/say.lua"\n[connectors.script.wiki]\npath = "scripts/wiki.lua"\n',
      'scripts/say.lua': tool('approved'),
      'scripts/wiki.lua': connector('approved'),
    });
    expect((await hub.request('POST', '/tools/say', {})).body.result).toEqual([
      { type: 'text', text: 'approved' },
    ]);
    await write(hub, 'scripts/say.lua', tool('changed'));
    expect(await hub.request('POST', '/tools/say', {})).toMatchObject(untrusted('say.lua: it has changed'));

    await write(hub, 'scripts/wiki.lua', connector('changed'));
    await hub.request('POST', '/api/knowledge/sync', {});
    await expect
      .poll(async () => JSON.stringify((await hub.request('GET', '/api/knowledge/sources')).body))
      .toContain('it has changed since you approved it');
  });

  it('of a module, whatever its imports are written in', async () => {
    const late = ['late.ts', 'late.mjs', 'late.cjs', 'late.js'];
    const text = (word: string, file: string) =>
      file.endsWith('.cjs') ? `module.exports = { word: '${word}' };` : `export const word = '${word}';`;
    await using hub = await approvedHub({
      'zoo.toml': late
        .map((_, index) => `[agents.module.m${index}]\npath = "agents/m${index}.ts"\n`)
        .join(''),
      ...Object.fromEntries(
        late.flatMap((file, index) => [
          [
            `agents/m${index}.ts`,
            `import { basename } from 'node:path';
import { defineAgent } from 'agent-zoo/agent';
import data from './data.json';
export default defineAgent({ name: 'm', resolve: async () => ({ system: basename(data.place) + (await import('./lib/${file}')).word }) });`,
          ],
          [`agents/lib/${file}`, text('approved', file)],
        ]),
      ),
      'agents/data.json': '{ "place": "at/home " }',
    });
    for (const [index, file] of late.entries()) {
      await write(hub, `agents/lib/${file}`, text('changed', file));
      expect(await resolve(hub, `m${index}`)).toMatchObject(untrusted(`lib/${file} has changed`));
      await write(hub, `agents/lib/${file}`, text('approved', file));
      expect(await resolve(hub, `m${index}`)).toMatchObject(serves('home approved'));
    }
  });

  it('and no module reaches beyond its folder, except for packages', async () => {
    await using hub = await approvedHub({
      'zoo.toml':
        '[agents.module.far]\npath = "agents/far.ts"\n[agents.module.near]\npath = "agents/near.mjs"\n',
      'agents/far.ts': `import { word } from '../shared/words.ts';\nexport default { name: 'far', resolve: () => ({ system: word }) };`,
      'shared/words.ts': `export const word = 'not shown to anybody';`,
      'agents/near.mjs': `import { word } from 'words';\nimport { more } from './more.mjs';\nexport default { name: 'near', resolve: () => ({ system: word + more }) };`,
      'agents/more.mjs': `export const more = ' and more';`,
      'node_modules/words/package.json': '{ "type": "module", "exports": "./index.js" }',
      'node_modules/words/index.js': `export const word = 'installed';`,
    });
    expect(await resolve(hub, 'near')).toMatchObject(serves('installed and more'));
    const { body } = await hub.request('GET', '/api/diagnostics');
    expect(JSON.stringify(body)).toContain('../shared/words.ts is not part of the approval');
    expect(await resolve(hub, 'far')).toMatchObject({ status: 404 });
  });
});
