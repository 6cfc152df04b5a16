import { execFileSync, spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/temp-folder.ts';
import { parseGitignore } from './gitignore.ts';

const PATHS = [
  'a.log',
  'a.txt',
  '#a',
  '!a',
  'dist',
  'a b',
  'b/a.log',
  'b/dist',
  'b/c/a.txt',
  'b/c/d/a.txt',
  'keep.log',
  '.env',
  'b/.env.local',
  '[x]',
  'x1',
  'ab',
];

it.each([
  '*.log',
  '*.log\n!keep.log',
  'dist',
  '/dist',
  'b/dist',
  'b/**',
  '**/a.txt',
  'b/**/a.txt',
  'b/*/a.txt',
  '**/c/**',
  '\\#a\n# comment\n\n\\!a',
  'a b  ',
  'a\\ b',
  '[a-c].*',
  'x[0-9]',
  '\\[x\\]',
  '.env*',
  '?b',
  '{a,b}.log',
  'b/*.log\r\n*.txt\r',
  '*',
  '*\n!*.log',
])('agrees with git about %j', async (rules) => {
  await using folder = await tempFolder({ '.gitignore': rules });
  execFileSync('git', ['init', '-q'], { cwd: folder.path });
  // It exits with 1 if nothing is ignored.
  const { stdout } = spawnSync('git', ['check-ignore', '--no-index', '-v', '-n', '-z', '--stdin'], {
    cwd: folder.path,
    input: PATHS.join('\0'),
    encoding: 'utf8',
  });
  const told = stdout.split('\0');
  const { ignores } = parseGitignore(rules);
  const own = PATHS.filter((path) => ignoresPath(ignores, path));
  const theirs = PATHS.filter((_, at) => {
    const pattern = told[at * 4 + 2] ?? '';
    return pattern !== '' && !pattern.startsWith('!');
  });
  expect(own).toEqual(theirs);
});

/** Like a walk, which never enters an ignored folder. */
function ignoresPath(ignores: ReturnType<typeof parseGitignore>['ignores'], path: string): boolean {
  const names = path.split('/');
  return names.some((_, at) => ignores(names.slice(0, at + 1).join('/'), at < names.length - 1) === true);
}
