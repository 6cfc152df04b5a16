import { expect, test } from 'vitest';
import { tempHome } from '../zoo-command.ts';

const FILES = {
  'zoo.toml': '[connectors.filesystem.docs]\nroot = "docs"\n',
  'docs/restart.md': '# Payments restart\nRestart payments. The watcher does not fire on Linux.\n',
  'docs/slow.md': "# Payments latency\nWhen payments is slow, use `chok.watch('/**/*.js')` or `a ** b`.\n",
  'docs/outage.md':
    '# Payments outage\nCall the payments team. Colour and behaviour. 🚀 C++ and .NET programs.\n',
  'docs/auth.md':
    '<h1 align="center">Auth guide</h1>\n\n[![Build](https://example.com/badge.svg)](https://example.com)\n\nnpm says ERESOLVE in createSession.\n',
};

test('pasted prose, JSON and stack traces find the right documents', { timeout: 600_000 }, async () => {
  await using home = await tempHome(FILES);
  await home.zoo(['sync']);
  const search = async (query: string, input?: string) => {
    const { out } = await home.program(['search', query, '--json'], input === undefined ? {} : { input });
    const { results, notes } = JSON.parse(out) as {
      results: { path: string; title: string; snippet: string; relevance: number }[];
      notes: string[];
    };
    return { results, notes, paths: results.map(({ path }) => path) };
  };
  const quoted =
    'Our user reported "the watcher does not fire on Linux" when using it, “every time”, since May.';
  expect((await search(quoted)).paths[0]).toBe('restart.md');
  expect((await search('npm ERR! code "ERESOLVE"')).paths[0]).toBe('auth.md');
  expect((await search('{"error": {"code": "ERESOLVE"}}')).paths[0]).toBe('auth.md');
  const trace =
    'Error: boom\n    at createSession (/srv/app.js:10:4)\n    at /srv/node_modules/x/y.js:120:33';
  expect((await search(trace)).paths[0]).toBe('auth.md');

  const payments = await search('payments');
  expect(payments.paths.toSorted()).toEqual(['outage.md', 'restart.md', 'slow.md']);
  const order = payments.results.map(({ relevance }) => relevance);
  expect(order).toEqual(order.toSorted((a, b) => b - a));

  const nothing = await search('"payments on mars"');
  expect(nothing.paths).toContain('outage.md');
  expect(nothing.notes.join()).toContain('payments on mars');

  const excluded = await search('outage -payments');
  expect(excluded.paths).toContain('outage.md');
  expect(excluded.notes).toEqual(['Every result contains "payments"; searched without excluding it.']);
  // A word that begins with a dash would be an option of the command.
  const only = await search('-', '-payments');
  expect(only.paths).toContain('outage.md');
  expect(only.notes).toEqual(['The query only excludes words; searched for these words instead.']);

  expect((await search('chok.watch')).results[0]?.snippet).toContain("('/**/*.js')` or `a ** b`");
  for (const word of ['color', 'behavior', '.NET', 'C++', '🚀']) {
    expect((await search(word)).paths[0]).toBe('outage.md');
  }
  expect((await search('auth guide')).results[0]?.title).toBe('Auth guide');
  expect((await search('-', 'payments outage\n')).paths[0]).toBe('outage.md');
});
