import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { tempHome } from '../../../../../test/zoo-command.ts';

const json = (value: unknown): string => JSON.stringify(value, null, 2);

const configOf = (text: string) => Object(parse(text))['tools']['mcp'];

test('servers of a project are imported, and the existing config stays unchanged', async () => {
  const config = '# ours\n[tools.mcp.memory] # keep\ncommand = "npx"\nargs = ["-y", "memory"]\n';
  await using home = await tempHome({
    'zoo.toml': config,
    '.mcp.json': `{
      // comments are fine
      "mcpServers": {
        "memory": { "command": "something-else" },
        "files": { "command": "npx", "args": ["-y", "server-filesystem", "\${workspaceFolder}/docs"], },
        "same": { "command": "npx", "args": ["-y", "memory"] },
        "agent-zoo": { "command": "zoo", "args": ["mcp"] },
      },
    }`,
  });
  const { code, out, err } = await home.inProcess(['tools', 'import']);
  expect(code).toBe(0);
  const text = readFileSync(join(home.work, 'zoo.toml'), 'utf8');
  expect(text.startsWith(config)).toBe(true);
  expect(configOf(text)).toEqual({
    memory: { command: 'npx', args: ['-y', 'memory'] },
    files: { command: 'npx', args: ['-y', 'server-filesystem', './docs'] },
  });
  expect(out).toContain('Added 1 server to zoo.toml');
  expect(out).toContain('memory skipped: the config has another server with this name');
  expect(out).toContain('same skipped: already there, as memory');
  expect(out).toContain('agent-zoo skipped: is Agent Zoo itself');
  expect(err).toContain('zoo trust');
  const again = await home.inProcess(['tools', 'import']);
  expect(again.out).toContain('Nothing to import');
  expect(readFileSync(join(home.work, 'zoo.toml'), 'utf8')).toBe(text);
});

test('secrets become references and are not copied anywhere', async () => {
  await using home = await tempHome({
    '.cursor/mcp.json': json({
      mcpServers: {
        github: {
          command: 'npx',
          args: ['gh', '--api-key', 'sk-secret-1'],
          env: { GITHUB_TOKEN: 'ghp_secret', LEVEL: '3' },
        },
        remote: {
          url: 'https://example.com/mcp?api_key=secret-3',
          headers: { Authorization: 'Bearer secret-4' },
        },
      },
    }),
  });
  const { out, err } = await home.inProcess(['tools', 'import', '--json']);
  const text = readFileSync(join(home.work, 'zoo.toml'), 'utf8');
  expect(text + out + err).not.toContain('secret-');
  expect(text + out + err).not.toContain('ghp_secret');
  expect(configOf(text)).toEqual({
    github: {
      command: 'npx',
      args: ['gh', '--api-key', '${GITHUB_API_KEY}'],
      env: { GITHUB_TOKEN: '${GITHUB_TOKEN}', LEVEL: '3' },
    },
    remote: {
      url: 'https://example.com/mcp?api_key=${REMOTE_API_KEY}',
      headers: { Authorization: 'Bearer ${REMOTE_AUTHORIZATION}' },
    },
  });
  expect(JSON.parse(out).added[0].notes).toContain(
    'a secret was not copied: set GITHUB_TOKEN in the environment of the hub, or with `zoo secret set GITHUB_TOKEN`',
  );
});

test('secrets inside of arguments and addresses become variables', async () => {
  await using home = await tempHome({
    '.mcp.json': json({
      mcpServers: {
        remote: {
          command: 'npx',
          args: [
            'mcp-remote',
            'https://example.com/mcp?api_key=secret-1',
            '--header',
            'Authorization: Bearer secret-2-abcdef',
            '--header=X-Api-Key:secret-3',
          ],
        },
        db: {
          command: 'docker',
          args: [
            'run',
            '-e',
            'PGPASSWORD=secret-4',
            'postgresql://user:secret-5@db.example.com/app?sslmode=require',
            'Server=db;Password=secret-6;Encrypt=yes',
          ],
          env: { DATABASE_URL: 'postgres://user:secret-7@db/app', LEVEL: '3' },
        },
        web: { url: 'https://user:secret-8@example.com/mcp?key=${KEY}' },
        lone: { command: 'server', args: ['ghp_secret9secret9secret9', 'plain', '--port=8080'] },
      },
    }),
  });
  const { out, err } = await home.inProcess(['tools', 'import', '--json']);
  const text = readFileSync(join(home.work, 'zoo.toml'), 'utf8');
  expect(text + out + err).not.toMatch(/secret-\d|ghp_secret/);
  expect(configOf(text)).toEqual({
    remote: {
      command: 'npx',
      args: [
        'mcp-remote',
        'https://example.com/mcp?api_key=${REMOTE_API_KEY}',
        '--header',
        'Authorization: Bearer ${REMOTE_AUTHORIZATION}',
        '--header=X-Api-Key:${REMOTE_X_API_KEY}',
      ],
    },
    db: {
      command: 'docker',
      args: [
        'run',
        '-e',
        'PGPASSWORD=${DB_PGPASSWORD}',
        'postgresql://user:${DB_PASSWORD}@db.example.com/app?sslmode=require',
        'Server=db;Password=${DB_PASSWORD_2};Encrypt=yes',
      ],
      env: { DATABASE_URL: 'postgres://user:${DB_PASSWORD_3}@db/app', LEVEL: '3' },
    },
    web: { url: 'https://user:${WEB_PASSWORD}@example.com/mcp?key=${KEY}' },
    lone: { command: 'server', args: ['${LONE_KEY}', 'plain', '--port=8080'] },
  });
});

test('references of other clients are converted, or noted', async () => {
  await using home = await tempHome({
    '.vscode/mcp.json': json({
      inputs: [{ type: 'promptString', id: 'perplexity-key' }],
      servers: {
        a: {
          type: 'stdio',
          command: 'node',
          args: ['${workspaceFolder}/a.js', '${env:LEVEL}'],
          env: { KEY: '${input:perplexity-key}' },
        },
        b: { type: 'http', url: '${URL:-http://localhost}/mcp', disabled: true, gallery: true },
        c: { command: '${command:pick}' },
      },
    }),
  });
  const { out } = await home.inProcess(['tools', 'import', '--print', '--json']);
  const { toml, added } = JSON.parse(out);
  expect(configOf(toml)).toEqual({
    a: { command: 'node', args: ['./a.js', '${LEVEL}'], env: { KEY: '${PERPLEXITY_KEY}' } },
    b: { url: '${URL}/mcp', disabled: true },
    c: { command: '$${command:pick}' },
  });
  expect(added.map(({ notes }: { notes: string[] }) => notes)).toEqual([
    ["VS Code asks for 'perplexity-key': set PERPLEXITY_KEY instead"],
    [
      'not imported: gallery',
      '${URL:-http://localhost} has a default, http://localhost, which was not imported: set URL',
    ],
    ['${command:pick} is not supported: replace it by its value'],
  ]);
});

test('a broken file, or one without servers, is reported and not changed', async () => {
  await using home = await tempHome({ 'broken.json': '{ "mcpServers": { "a": ', 'other.json': '{}' });
  expect(await home.inProcess(['tools', 'import', 'broken.json'])).toMatchObject({ code: 1 });
  expect((await home.inProcess(['tools', 'import', 'other.json'])).err).toContain('has no servers');
  expect((await home.inProcess(['tools', 'import'])).err).toContain('none of .mcp.json');
});
