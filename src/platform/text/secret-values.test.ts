import { expect, it } from 'vitest';
import { secretValues } from './secret-values.ts';

it('the values of variables in a config are secrets, unless they are places or short', () => {
  const config = {
    tools: {
      mcp: {
        github: {
          command: '${BIN}/server',
          env: { TOKEN: '${GITHUB_TOKEN}', PORT: '${PORT}', PLAIN: '$${NOT_MEANT}' },
          cwd: '${HOME}',
        },
        web: { url: '${URL}', headers: { 'x-key': 'prefix ${WEB_KEY}' } },
      },
    },
    db: { url: '${DB}' },
  };
  const env = {
    BIN: '/usr/local/bin',
    GITHUB_TOKEN: 'ghp_0123456789',
    PORT: '7331',
    NOT_MEANT: 'other-secret',
    HOME: '/home/somebody',
    URL: 'https://example.org/mcp',
    WEB_KEY: 'key-0123456789',
    DB: 'postgres://me:hunter2@db/zoo',
    UNUSED: 'unused-secret',
  };
  expect(secretValues(config, env).toSorted()).toEqual([
    'ghp_0123456789',
    'key-0123456789',
    'postgres://me:hunter2@db/zoo',
  ]);
});
