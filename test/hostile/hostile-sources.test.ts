import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { docxBomb, pdfBomb } from '../knowledge/office-files.ts';
import { tempFolder } from '../temp-folder.ts';
import { tempHome } from '../zoo-command.ts';

const LONG = 'a'.repeat(200);
const SOURCE = '[connectors.filesystem.docs]\nroot = "docs"\n';

describe('a cloned repository that was not approved', { timeout: 600_000 }, () => {
  it('stops nothing with its patterns', async () => {
    await using home = await tempHome({
      'zoo.toml': `${SOURCE}exclude_globs = ["[a](a+)+z", "+(*)+(*)+(*)z", "${'*a'.repeat(30)}b"]\n`,
      '.gitignore': `${'*a'.repeat(30)}b\n**/a/**/a/**/a/**/a/**/a/**/b\n`,
      'docs/.gitignore': `${'*a'.repeat(30)}b\n`,
      [`docs/${LONG}.md`]: 'found',
      [`docs/${'a/'.repeat(60)}a.md`]: 'found as well',
    });
    mkdirSync(join(home.work, '.git'));
    expect(await home.program(['sync'])).toMatchObject({ code: 0, out: expect.stringContaining('2 added') });
    const search = await home.program(['search', 'found', '--path', '+(*)+(*)+(*)z']);
    expect(search.code).not.toBeNull();
    const nested = await home.program(['search', 'found', '--path', `${'+('.repeat(20)}*${')'.repeat(20)}`]);
    expect(nested.code).not.toBeNull();
  });

  it('has no file outside of its folder indexed by swapping a folder for a link', async () => {
    await using outside = await tempFolder({ 'a.md': 'quokka secret', 'b.md': 'quokka secret' });
    await using home = await tempHome({
      'zoo.toml': SOURCE,
      'docs/sub/a.md': 'plain',
      'docs/sub/b.md': 'plain',
      ...Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`docs/${n}.md`, `note ${n}`])),
    });
    const sub = join(home.work, 'docs/sub');
    // As fast as it can, from another process, for as long as the syncs run.
    const swapper = spawn(process.execPath, [
      '-e',
      `const { renameSync, symlinkSync, unlinkSync, utimesSync } = require('node:fs');
       const [sub, outside] = process.argv.slice(1);
       process.on('SIGTERM', () => process.exit(0));
       setTimeout(() => process.exit(0), 120_000);
       const swap = () => {
         for (let round = 0; round < 50; round++) {
           renameSync(sub, sub + '-kept');
           symlinkSync(outside, sub);
           unlinkSync(sub);
           renameSync(sub + '-kept', sub);
         }
         setImmediate(swap);
       };
       swap();`,
      sub,
      outside.path,
    ]);
    try {
      for (let round = 0; round < 2; round++) await home.zoo(['sync', '--full']);
    } finally {
      swapper.kill('SIGKILL');
      await once(swapper, 'exit');
    }
    const { out } = await home.zoo(['search', 'quokka', '--json']);
    expect(out).not.toContain('secret');
  });

  it('puts no hidden or git-ignored file into a prompt, and nothing of .git', async () => {
    await using home = await tempHome({
      'zoo.toml':
        '[agents.reader]\nsystem_prompt = "Read."\ncontext_refs = [".env", ".git/config", "private.md", "plain.md", "docs/../.env"]\n[tools.mcp.x]\ncommand = "node"\n',
      '.env': 'KEY=hunter22',
      '.gitignore': 'private.md\n',
      'private.md': 'hunter22',
      'plain.md': 'plain text',
      'docs/a.md': 'a',
    });
    mkdirSync(join(home.work, '.git'));
    writeFileSync(join(home.work, '.git/config'), 'hunter22');
    const before = await home.zoo(['agent', 'test', 'reader']);
    expect(before.out).toContain('plain text');
    expect(before.out).not.toContain('hunter22');
    expect(before.out + before.err).toContain('only in trusted workspaces');
    expect((await home.zoo(['trust', '--yes'])).code).toBe(0);
    const after = await home.zoo(['agent', 'test', 'reader']);
    expect(after.out.match(/hunter22/g)).toHaveLength(2);
  });

  it('blocks nothing with named pipes', async () => {
    const pipes = Array.from({ length: 12 }, (_, n) => `pipe-${n}.md`);
    await using home = await tempHome({
      'zoo.toml': `${SOURCE}[agents.reader]\nsystem_prompt = "Read."\ncontext_refs = ${JSON.stringify(pipes)}\n`,
      'docs/a.md': 'found',
    });
    for (const pipe of pipes) execFileSync('mkfifo', [join(home.work, pipe)]);
    execFileSync('mkfifo', [join(home.work, 'docs/pipe.md'), join(home.work, 'docs/.gitignore')]);
    const { url } = await home.serve();
    const token = (await readFile(join(home.path, 'home', 'operator-token'), 'utf8')).trim();
    const ask = (path: string) =>
      fetch(new URL(path, url), {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: '{}',
        signal: AbortSignal.timeout(30_000),
      });
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask('/agents/reader/prompt')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect((await home.zoo(['sync'])).code).toBe(0);
  });

  it('has no local embedding model loaded', async () => {
    await using home = await tempHome({
      'zoo.toml': `${SOURCE}[embedding]\nprovider = "local"\nmodel = "evil/model"\n`,
      'docs/a.md': 'found',
    });
    expect(await home.zoo(['sync'])).toMatchObject({ code: 0 });
    const { out } = await home.zoo(['trust']);
    expect(out).toContain('evil/model');
    expect(await home.zoo(['trust', '--yes'])).toMatchObject({ code: 0 });
    // Now it is tried, and the package it needs is missing.
    expect((await home.zoo(['sync'])).out).toContain('@huggingface/transformers');
  });
});

describe('a document', { timeout: 600_000 }, () => {
  it('takes no more memory than it may, and others are indexed all the same', async () => {
    await using home = await tempHome({ 'zoo.toml': SOURCE, 'docs/a.md': 'found' });
    writeFileSync(join(home.work, 'docs/bomb.docx'), docxBomb(300));
    writeFileSync(join(home.work, 'docs/bomb.pdf'), pdfBomb(500));
    writeFileSync(join(home.work, 'docs/deep.html'), '<div>'.repeat(150_000));
    const program = home.start(['sync']);
    let said = '';
    for (const stream of [program.stdout, program.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (said += text));
    let ended = false;
    program.once('exit', () => (ended = true));
    let peak = 0;
    while (!ended) {
      peak = Math.max(peak, rssOfTree(program.pid ?? 0));
      await sleep(50);
    }
    expect(said).toContain('it unpacks to more than 256 MiB');
    expect(said).toContain('needs more than 768 MiB of memory to read');
    expect(said).toContain('its elements are nested too deeply');
    expect(said).toContain('1 added');
    // The limit, what is seen too late, and the program itself.
    expect(peak / 1024 ** 2).toBeLessThan(768 + 600);
  });
});

describe('a website', { timeout: 600_000 }, () => {
  it('stops nothing with its robots.txt or its links', async () => {
    const server = createServer((request, response) => {
      const robots = `User-agent: *\nDisallow: /${'*a'.repeat(30)}b\n`;
      const page = `${'<a '.repeat(300_000)}>${'<a href="'.repeat(300_000)}"><a href="/${LONG}">x</a>`;
      response.writeHead(200, { 'content-type': request.url === '/robots.txt' ? 'text/plain' : 'text/html' });
      response.end(request.url === '/robots.txt' ? robots : request.url === '/' ? page : '<p>found</p>');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    try {
      await using home = await tempHome({
        'zoo.toml': `[connectors.web.site]\nurl = "http://127.0.0.1:${port}/"\n`,
      });
      expect((await home.zoo(['trust', '--yes'])).code).toBe(0);
      const { out } = await home.program(['sync']);
      expect(out).toContain('2 added');
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

it(
  'a secret in the address of a site or of an embedding provider is shown to nobody',
  { timeout: 600_000 },
  async () => {
    const server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://site');
      const isMissing = pathname === '/robots.txt' || searchParams.get('token') !== SECRET;
      response.writeHead(isMissing ? 403 : 200, { 'content-type': 'text/html' });
      response.end(`<title>Quokka</title><p>found</p><a href="/next?token=${SECRET}">next</a>`);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const site = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    try {
      await using home = await tempHome({
        'zoo.toml': `[connectors.web.site]\nurl = "${site}/start?token=\${SITE_TOKEN}"\n[embedding]\nprovider = "openai"\nmodel = "x"\nurl = "${site}/v1?key=\${SITE_TOKEN}"\n[agents.reader]\nsystem_prompt = "Read."\n[[agents.reader.context]]\nquery = "found"\n`,
      });
      home.env['SITE_TOKEN'] = SECRET;
      await home.zoo(['trust', '--yes']);
      const shown = [
        await home.zoo(['sync', '--changes']),
        await home.zoo(['sync', '--json']),
        await home.zoo(['search', 'found', '--json']),
        await home.zoo(['search', 'found']),
        await home.zoo(['sources', '--json']),
        await home.zoo(['embed', 'status', '--json']),
        await home.zoo(['agent', 'test', 'reader', '--receipt']),
      ].map(({ out, err }) => out + err);
      expect(shown.join('\n')).toContain('Quokka');
      for (const text of shown) expect(text).not.toContain(SECRET);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  },
);

const SECRET = 'q7-hunter22-secret';

/** In bytes, of a process and its children. Linux only; 0 elsewhere. */
function rssOfTree(pid: number): number {
  try {
    const own = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
    // Each thread has children of its own.
    const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
    );
    return children.reduce((sum, child) => sum + rssOfTree(Number(child)), own);
  } catch {
    return 0;
  }
}
