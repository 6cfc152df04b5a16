import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startFakeEmbeddings } from '../../../../../test/knowledge/fake-embeddings.ts';
import { tempHome } from '../../../../../test/zoo-command.ts';

const FILES = {
  'zoo.toml': '[connectors.filesystem.docs]\nroot = "docs"\n',
  'docs/restart.md': '# Restarting\n\nOne.\n\n## Payments\n\nDrain the queue, then restart payments.\n',
  'docs/other.md': '# Other\n\nNothing of interest.\n',
  'docs/picture.bin': '\0\u0001\u0002',
};

const lines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('documents at the command line, without a hub', () => {
  it('are synced, searched and read', async () => {
    await using home = await tempHome(FILES);
    const early = await home.zoo(['search', 'payments']);
    expect(early).toMatchObject({ code: 0, out: '', err: expect.stringContaining('run `zoo sync`') });
    expect((await home.zoo(['sources'])).out).toMatch(/filesystem:docs +0 documents .*never synced +docs/);

    const dry = await home.zoo(['sync', '--dry-run']);
    expect(dry.out).toMatch(/\+ other\.md +filesystem:docs\n/);
    expect(dry.out).toContain('nothing changed');
    expect((await home.zoo(['search', 'payments'])).out).toBe('');

    const synced = await home.zoo(['sync']);
    expect(synced).toMatchObject({ code: 0, err: '' });
    expect(synced.out).toMatch(/✓ filesystem:docs {2}2 added, 1 skipped \(\d/);

    const found = await home.zoo(['search', 'how', 'do', 'I', 'restart', 'payments?']);
    expect(found.out).toMatch(/^1\. Restarting\n {3}filesystem:docs {2}restart\.md/);
    expect(found.out).toMatch(/Payments › lines \d+-\d+\n.*\*\*restart\*\*/);
    const answer = JSON.parse((await home.zoo(['search', 'restart payments', '--explain', '--json'])).out);
    expect(answer).toMatchObject({ mode: 'keyword', results: [{ title: 'Restarting' }] });
    expect((await home.zoo(['search', 'restart payments', '--explain'])).out).toMatch(/words #1/);
    const { id } = answer.results[0];
    expect((await home.zoo(['get', id])).out).toBe(FILES['docs/restart.md']);
    expect((await home.zoo(['get', id, '--lines', '5-6'])).out).toBe('## Payments\n');
    expect(JSON.parse((await home.zoo(['get', id, '--json'])).out)).toMatchObject({ id, lines: 7 });

    expect((await home.zoo(['stats'])).out).toMatch(/Documents +2\n/);
    expect((await home.zoo(['embed', 'status'])).out).toMatch(/Provider +disabled/);
    expect((await home.zoo(['sources'])).out).toMatch(/2 documents .* synced 20/);
  });

  it('of untrusted sources are not synced, and a warning says so', async () => {
    await using home = await tempHome({
      ...FILES,
      'zoo.toml': `${FILES['zoo.toml']}[connectors.web.site]\nurl = "https://example.com"\n`,
    });
    expect(await home.zoo(['sync'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('✓ filesystem:docs'),
      err: expect.stringMatching(/warning: web:site: was left out\. .*`zoo trust`/),
    });
  });

  it('keep finished vectors after an interruption, and report it', async () => {
    await using server = await startFakeEmbeddings({ answered: 2 });
    await using home = await tempHome({
      'zoo.toml': FILES['zoo.toml'],
      ...Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`docs/${n}.md`, `# Number ${n}`])),
    });
    await home.zoo(['sync']);
    const embedding = `[embedding]\nprovider = "ollama"\nurl = "${server.url}"\nbatch_size = 1\n`;
    await home.write('zoo.toml', FILES['zoo.toml'] + embedding);
    await home.zoo(['trust', '--yes']);
    const child = home.start(['embed', 'rebuild']);
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await expect.poll(() => server.calls.length).toBeGreaterThan(2);
    child.kill('SIGINT');
    expect([await ended, said]).toEqual([1, expect.stringContaining('the sync was stopped')]);
  });

  it('are synced again only where something changed, with events for programs', async () => {
    await using home = await tempHome(FILES);
    await home.zoo(['sync']);
    await home.write('docs/other.md', '# Other\n\nNow with a zebra.\n');
    const { code, out } = await home.zoo(['sync', 'docs', '--json']);
    expect(code).toBe(0);
    const events = lines(out);
    expect(events.at(0)).toMatchObject({ type: 'start', sources: ['filesystem:docs'] });
    expect(events.at(-1)).toMatchObject({ type: 'end', ok: true, counts: { changed: 1, unchanged: 1 } });
    expect((await home.zoo(['search', 'zebra'])).out).toContain('Other');
  });

  it('get helpful errors', async () => {
    await using home = await tempHome(FILES);
    const wrong = await home.zoo(['sync', 'dosc']);
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining("Did you mean 'docs'?") });
    expect(await home.zoo(['search', 'x', '--source', 'nope'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('Available sources: filesystem:docs'),
    });
    expect(await home.zoo(['get', 'nothing'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('hint: `zoo search'),
    });
    expect(await home.zoo(['get', 'x', '--lines', '9-2'])).toMatchObject({ code: 2 });
    await home.write('zoo.toml', '[connectors.filesystem.docs]\nroot = "gone"\n');
    const gone = await home.zoo(['sync']);
    expect(gone).toMatchObject({ code: 1, err: expect.stringContaining('the sync finished with errors') });
    expect(gone.out).toContain('✗ filesystem:docs');
    await home.write('zoo.toml', '');
    expect((await home.zoo(['sync'])).out).toContain('filesystem:docs');
    expect(await home.zoo(['sync'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('No sources are configured'),
    });
    expect((await home.zoo(['sources'])).err).toContain('zoo sources add docs');
    const wiki = ['sources', 'add', 'https://example.org/acme/wiki.git', '--include', '*.md', '--print'];
    expect((await home.inProcess(wiki)).out).toMatch(/\[connectors\.git\.wiki\]\nurl = .*\ninclude_globs = /);
    expect(await home.inProcess(['sources', 'add', 'docs'])).toMatchObject({
      out: 'Added filesystem:docs to zoo.toml.\n',
      err: expect.stringContaining('`zoo sync` reads it now.'),
    });
    expect(readFileSync(join(home.work, 'zoo.toml'), 'utf8')).toContain(
      '[connectors.filesystem.docs]\nroot = "docs"',
    );
    expect((await home.inProcess(['sources', 'add', './docs/'])).err).toContain('docs');
    expect((await home.inProcess(['sources', 'rm', 'filesystem:docs'])).out).toContain('Removed');
    expect(readFileSync(join(home.work, 'zoo.toml'), 'utf8')).not.toContain('connectors');
  });
});

describe('documents at the command line, with a hub', () => {
  it('are those of the hub, and a change is found without a sync', async () => {
    await using home = await tempHome(FILES);
    const { child } = await home.serve();
    const synced = await home.zoo(['sync']);
    expect(synced).toMatchObject({ code: 0 });
    expect(synced.out).toContain('✓ filesystem:docs');
    expect((await home.zoo(['search', 'restart payments'])).out).toContain('1. Restarting');
    await home.write('docs/new.md', '# New\n\nThe axolotl has arrived.\n');
    await expect
      .poll(async () => (await home.zoo(['search', 'axolotl'])).out, { interval: 300 })
      .toContain('1. New');
    expect(await home.zoo(['sync', 'dosc'])).toMatchObject({
      code: 1,
      err: expect.stringContaining("Did you mean 'docs'?"),
    });
    child.kill('SIGTERM');
  });

  it('are reported as they change with --watch, until interrupted', async () => {
    await using home = await tempHome(FILES);
    const child = home.start(['sync', '--watch']);
    let said = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
    await expect.poll(() => said).toContain('Watching for changes');
    await home.write('docs/new.md', '# New\n\nThe axolotl has arrived.\n');
    await expect.poll(() => said).toMatch(/Watching[^]*✓ filesystem:docs {2}1 added/);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    expect((await home.zoo(['search', 'axolotl'])).out).toContain('1. New');
  });
});
