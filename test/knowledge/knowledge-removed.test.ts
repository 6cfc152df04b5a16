import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { createIndexReader } from '../../src/knowledge/index/create-index-reader.ts';
import { homeFiles } from '../../src/platform/home/paths.ts';
import { settled, SOON, syncedHub } from './synced-hub.ts';
import { tempFolder } from '../temp-folder.ts';
import { tempHome } from '../zoo-command.ts';

const folderNamed = (name: string) => `[connectors.filesystem.${name}]\nroot = "${name}"\n`;
const DOCS = { 'old/a.md': '# A\n\nThe quokka.\n', 'old/b.md': '# B\n\nThe numbat.\n', 'kept/c.md': 'c' };

/** What the index has, whoever may see it. */
async function indexed(home: string): Promise<string[]> {
  const reader = createIndexReader({ file: homeFiles(home).knowledge });
  try {
    return (await reader.allSources()).map(({ name, documents }) => `${name} ${documents}`);
  } finally {
    await reader.close();
  }
}

describe('a source that was removed from its config', () => {
  async function synced() {
    const home = await tempHome({ 'zoo.toml': folderNamed('old') + folderNamed('kept'), ...DOCS });
    expect(await home.inProcess(['sync'])).toMatchObject({ code: 0 });
    return { ...home, has: () => indexed(home.env['ZOO_HOME'] ?? '') };
  }

  it('is removed from the index by the next full sync, and others are kept', async () => {
    await using home = await synced();
    await home.write('zoo.toml', folderNamed('kept'));
    expect(await home.inProcess(['sync', 'kept'])).toMatchObject({ code: 0 });
    expect(await home.has()).toEqual(['kept 1', 'old 2']);
    const dry = await home.inProcess(['sync', '--dry-run']);
    expect(dry.out).toContain('filesystem:old  would be removed with 2 documents');
    expect(await home.has()).toEqual(['kept 1', 'old 2']);
    const { code, out } = await home.inProcess(['sync']);
    expect(code).toBe(0);
    expect(out).toContain('filesystem:old  removed with 2 documents: no longer in the config');
    expect(await home.has()).toEqual(['kept 1']);
    expect((await home.inProcess(['sync'])).out).not.toContain('removed');
  });

  it('is removed from the index even if it was the last one', async () => {
    await using home = await synced();
    await home.write('zoo.toml', '');
    const { code, out } = await home.inProcess(['sync']);
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('filesystem:old  removed') });
    expect(await home.has()).toEqual([]);
    expect(await home.inProcess(['sync'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('nothing to sync'),
    });
  });

  it('is indexed again under a new name', async () => {
    await using home = await synced();
    await home.write('zoo.toml', `${folderNamed('kept')}[connectors.filesystem.new]\nroot = "old"\n`);
    const { out } = await home.inProcess(['sync']);
    expect(out).toContain('filesystem:new  2 added');
    expect(out).toContain('filesystem:old  removed with 2 documents');
    expect(await home.has()).toEqual(['kept 1', 'new 2']);
    expect((await home.inProcess(['search', 'quokka'])).out).toContain('filesystem:new');
  });

  it.each([
    ['broken', `${folderNamed('kept')}[connectors`],
    ['wrong in one place', `${folderNamed('kept')}[connectors.filesystem.old]\nroot = 7\n`],
    ['not approved', `${folderNamed('kept')}[connectors.filesystem.far]\nroot = "/"\n`],
  ])('is kept while the config is %s', async (_how, config) => {
    await using home = await synced();
    await home.write('zoo.toml', config);
    expect((await home.inProcess(['sync'])).out).not.toContain('removed');
    expect(await home.has()).toEqual(['kept 1', 'old 2']);
  });

  it('is kept with --config', async () => {
    await using home = await synced();
    await home.write('other.toml', folderNamed('kept'));
    expect(await home.inProcess(['sync', '--config', 'other.toml'])).toMatchObject({ code: 0 });
    expect(await home.inProcess(['sync'], { env: { ZOO_CONFIG: 'other.toml' } })).toMatchObject({ code: 0 });
    expect(await home.has()).toEqual(['kept 1', 'old 2']);
  });

  it('is removed by a running hub, and those of other workspaces are kept', async () => {
    await using other = await tempFolder({ 'zoo.toml': folderNamed('old'), 'old/d.md': 'd' });
    await using own = await tempFolder({ 'e.md': 'e' });
    await using hub = await syncedHub(
      { 'zoo.toml': folderNamed('old') + folderNamed('kept'), ...DOCS },
      { own: { 'zoo.toml': `[connectors.filesystem.mine]\nroot = ${JSON.stringify(own.path)}\n` } },
    );
    await settled(hub, `?workspace=${encodeURIComponent(other.path)}`);
    const all = ['kept 1', 'mine 1', 'old 1', 'old 2'];
    expect((await indexed(hub.home)).toSorted()).toEqual(all);
    await writeFile(join(hub.folder, 'zoo.toml'), folderNamed('kept'));
    await vi.waitFor(
      async () => expect((await indexed(hub.home)).toSorted()).toEqual(['kept 1', 'mine 1', 'old 1']),
      SOON,
    );
    // A sync of one workspace says nothing about another.
    expect((await hub.request('POST', '/api/knowledge/sync', {})).body).not.toContain('"removed"');
    expect((await indexed(hub.home)).toSorted()).toEqual(['kept 1', 'mine 1', 'old 1']);
  });
});
