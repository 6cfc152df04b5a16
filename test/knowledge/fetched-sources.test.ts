import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { tempFolder } from '../temp-folder.ts';
import { tempHome } from '../zoo-command.ts';

type Home = Awaited<ReturnType<typeof tempHome>>;

const sync = async (home: Home) => {
  const { code, out, err } = await home.program(['sync']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out;
};
const found = async (home: Home, query: string): Promise<string[]> => {
  const { out } = await home.zoo(['search', query, '--json']);
  const { results }: { results: { path: string }[] } = JSON.parse(out);
  return results.map(({ path }) => path).toSorted();
};

it('the built program follows a repository through any push', async () => {
  await using remote = await tempFolder();
  await using clone = await tempFolder({
    'docs/quokka.md': '# Quokka\n\nIt smiles at people on the island.\n',
    'docs/numbat.md': '# Numbat\n\nIt eats termites all day long.\n',
    'docs/bilby.md': '# Bilby\n\nIt digs burrows in the desert.\n',
  });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
      cwd: clone.path,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const push = (...flags: string[]) => {
    git('add', '--all');
    git('commit', '--quiet', '-m', 'a change', ...flags);
    git('push', '--quiet', '--force', 'origin', 'main');
  };
  execFileSync('git', ['init', '--quiet', '--bare', '-b', 'main', remote.path]);
  git('init', '--quiet', '-b', 'main');
  git('remote', 'add', 'origin', remote.path);
  push();

  const url = JSON.stringify(`file://${remote.path}`);
  await using home = await tempHome({
    'zoo.toml': `[connectors.git.animals]\nurl = ${url}\nbranch = "main"\nroot = "docs"\n`,
  });
  const refused = await home.zoo(['sync']);
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('zoo trust') });
  expect(await home.zoo(['trust', '--yes'])).toMatchObject({ code: 0 });
  expect(await sync(home)).toContain('git:animals  3 added');
  expect(await found(home, 'termites')).toEqual(['numbat.md']);

  await clone.write('docs/quokka.md', '# Quokka\n\nIt sleeps under spinifex.\n');
  push();
  expect(await sync(home)).toContain('git:animals  1 changed, 2 unchanged');
  expect(await found(home, 'spinifex')).toEqual(['quokka.md']);
  expect(await found(home, 'island')).toEqual([]);

  git('mv', 'docs/numbat.md', 'docs/anteater.md');
  git('rm', '--quiet', 'docs/bilby.md');
  push();
  expect(await sync(home)).toContain('git:animals  1 moved, 1 deleted, 1 unchanged');
  expect(await found(home, 'termites')).toEqual(['anteater.md']);
  expect(await found(home, 'burrows')).toEqual([]);

  git('reset', '--quiet', '--hard', 'HEAD~2');
  await clone.write('docs/wombat.md', '# Wombat\n\nIts droppings are cubes.\n');
  push('--amend');
  expect(await sync(home)).toContain('2 added, 1 changed, 1 moved');
  expect(await found(home, 'cubes')).toEqual(['wombat.md']);
  expect(await found(home, 'termites')).toEqual(['numbat.md']);
  expect(await found(home, 'spinifex')).toEqual([]);
  expect(await found(home, 'island')).toEqual(['quokka.md']);
});

it('a running hub syncs a site by its sitemap', async () => {
  const pages = new Map<string, string>();
  const page = (title: string, text: string) =>
    `<html><head><title>${title}</title></head><body><nav>menu</nav><main><h1>${title}</h1><p>${text}</p></main></body></html>`;
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const body = path === '/sitemap.xml' ? sitemap() : pages.get(path);
    const type = path.endsWith('.xml') ? 'text/xml' : 'text/html';
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sitemap = () =>
    `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${[...pages.keys()]
      .map((path) => `<url><loc>${url}${path}</loc></url>`)
      .join('')}</urlset>`;
  try {
    pages.set('/quokka', page('Quokka', 'It smiles at people on the island.'));
    pages.set('/numbat', page('Numbat', 'It eats termites all day long.'));
    await using home = await tempHome({
      'zoo.toml': `[connectors.web.animals]\nsitemap = "${url}/sitemap.xml"\n`,
    });
    expect(await home.zoo(['trust', '--yes'])).toMatchObject({ code: 0 });
    await home.serve();
    await sync(home);
    const at = (path: string) => `127.0.0.1${path}`;
    expect((await found(home, 'termites')).map(withoutPort)).toEqual([at('/numbat')]);
    const { out } = await home.zoo(['search', 'island']);
    expect(out).toContain(`1. Quokka`);
    expect(out).toContain(`${url}/quokka`);
    expect(await found(home, 'menu')).toEqual([]);

    pages.delete('/numbat');
    pages.set('/quokka', page('Quokka', 'It sleeps under spinifex.'));
    pages.set('/wombat', page('Wombat', 'Its droppings are cubes.'));
    expect(await sync(home)).toContain('web:animals  1 added, 1 changed, 1 deleted');
    expect((await found(home, 'spinifex')).map(withoutPort)).toEqual([at('/quokka')]);
    expect((await found(home, 'cubes')).map(withoutPort)).toEqual([at('/wombat')]);
    expect(await found(home, 'termites')).toEqual([]);

    // A site that is down keeps what is known of it.
    server.closeAllConnections();
    server.close();
    const down = await home.zoo(['sync']);
    expect(down).toMatchObject({ code: 1, out: expect.stringContaining('✗ web:animals') });
    expect((await found(home, 'cubes')).map(withoutPort)).toEqual([at('/wombat')]);
  } finally {
    server.close();
  }
});

const withoutPort = (path: string) => path.replace(/:\d+/, '');
