import { expect, it } from 'vitest';
import { secretsIn, secretVariables } from './secret-fields.ts';

const env = {
  BIN: '/usr/local/bin',
  GITHUB_TOKEN: 'ghp_0123456789',
  PORT: '7331',
  NOT_MEANT: 'other-secret',
  HOME: '/home/somebody',
  HOST: 'internal.example.com',
  URL: 'https://example.org/mcp',
  WEB_KEY: 'key-0123456789',
  DB: 'postgres://me:hunter2@db/zoo',
  PIN_SECRET: '4711',
  TEAM: 'payments',
  SHORT: 'abc',
  UNUSED: 'unused-secret',
  QUERY: 'q-123456',
};

it('finds values of ${VAR} in secret fields, from 8 characters or by name from 4', () => {
  const config = {
    tools: {
      mcp: {
        github: {
          command: '${BIN}/server',
          args: ['--port', '${PORT}', '--host', '${HOST}', '--token', '${GITHUB_TOKEN}'],
          env: { TOKEN: '${GITHUB_TOKEN}', PORT: '${PORT}', PLAIN: '$${NOT_MEANT}', PIN: '${PIN_SECRET}' },
          cwd: '${HOME}',
        },
        web: { url: '${URL}', headers: { 'x-key': 'prefix ${WEB_KEY}' } },
      },
      script: { lookup: { path: '${UNUSED}.lua', team: '${TEAM}', code: '${SHORT}' } },
    },
    connectors: { web: { docs: { url: 'https://${HOST}/docs?literal=spelled-out&auth=${QUERY}' } } },
    db: { url: '${DB}' },
  };
  expect(secretsIn(config, env).toSorted()).toEqual([
    '4711',
    'ghp_0123456789',
    'hunter2',
    'key-0123456789',
    'payments',
    'q-123456',
  ]);
});

it('finds secrets among variables that a script may read', () => {
  const names = ['GITHUB_TOKEN', 'HOME', 'TEAM', 'PIN_SECRET', 'ABSENT_TOKEN'];
  expect(secretVariables(names, env)).toEqual(['ghp_0123456789', '4711']);
});
