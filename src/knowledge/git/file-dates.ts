import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Repository } from './repository.ts';

interface Dates {
  head: string;
  /** Seconds since 1970, by path from the top of the repository. */
  byPath: Record<string, number>;
}

/** When each file last changed, from one `git log`. Dates are cached, so only new commits are read. */
export async function fileDates(
  repository: Repository,
  paths: ReadonlySet<string>,
): Promise<(path: string) => number | undefined> {
  const file = join(repository.path, 'zoo-dates.json');
  const known = await load(file);
  const byPath = new Map(Object.entries(known?.byPath ?? {}));
  if (known?.head !== repository.head) {
    const since = known && (await isAncestor(repository, known.head)) ? known.head : null;
    if (since === null) byPath.clear();
    const fresh = await readLog(repository, since, since === null ? paths : null);
    for (const [path, time] of fresh) byPath.set(path, time);
    const kept = [...byPath].filter(([path]) => paths.has(path));
    await save(file, { head: repository.head, byPath: Object.fromEntries(kept) });
  }
  return (path) => {
    const seconds = byPath.get(path);
    return seconds === undefined ? undefined : seconds * 1000;
  };
}

/** @param wanted stops once all of these were seen; null reads to the end */
async function readLog(
  { git, head }: Repository,
  since: string | null,
  wanted: ReadonlySet<string> | null,
): Promise<Map<string, number>> {
  const dates = new Map<string, number>();
  let rest = '';
  let time = 0;
  let left = wanted?.size ?? Number.POSITIVE_INFINITY;
  const decoder = new TextDecoder();
  await git(
    [
      'log',
      '--format=%x01%ct',
      '--name-only',
      '-z',
      '--no-renames',
      '--no-ext-diff',
      '--no-textconv',
      since === null ? head : `${since}..${head}`,
      '--',
    ],
    {
      onOutput(chunk) {
        const tokens = (rest + decoder.decode(chunk, { stream: true })).split('\0');
        rest = tokens.pop() ?? '';
        for (const token of tokens) {
          const word = token.startsWith('\n') ? token.slice(1) : token;
          if (word.startsWith('\u0001')) time = Number(word.slice(1));
          else if (word !== '' && !dates.has(word)) {
            dates.set(word, time);
            if (wanted?.has(word)) left--;
          }
        }
        return left > 0;
      },
    },
  );
  return dates;
}

async function isAncestor({ git, head }: Repository, old: string): Promise<boolean> {
  return git(['merge-base', '--is-ancestor', old, head]).then(
    () => true,
    () => false,
  );
}

async function load(file: string): Promise<Dates | null> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return isDates(value) ? value : null;
  } catch {
    return null;
  }
}

function isDates(value: unknown): value is Dates {
  return typeof value === 'object' && value !== null && 'head' in value && 'byPath' in value;
}

async function save(file: string, dates: Dates): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(dates));
  await rename(`${file}.new`, file);
}
