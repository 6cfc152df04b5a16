import { ZooError } from '../../contract/errors.ts';

/** SQLite's primary result codes. */
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;

/** Whether the index file is corrupt and has to be rebuilt. */
export const isDamaged = (error: unknown): boolean =>
  error instanceof ZooError && error.details?.['damaged'] === true;

/** Explains SQLite errors: what happened and what to do. Other errors pass through. */
export function explainIndexError(error: unknown, file: string): unknown {
  const code = primaryCode(error);
  if (code === null || !(error instanceof Error)) return error;
  const say = (kind: 'internal' | 'timeout', text: string) => new ZooError(kind, text, { sqlite: code });
  switch (code) {
    case BUSY:
    case LOCKED:
      return say(
        'timeout',
        `the knowledge index ${file} is locked by another process; try again when its sync has finished`,
      );
    case FULL:
      return say(
        'internal',
        `the disk is full: the knowledge index ${file} could not be written. Nothing in it is lost; free some space and sync again`,
      );
    case IOERR:
      return say(
        'internal',
        `the knowledge index ${file} could not be read or written (${error.message}); check its disk`,
      );
    case READONLY:
    case CANTOPEN:
      return say(
        'internal',
        `the knowledge index ${file} could not be opened (${error.message}); check the folder and its permissions`,
      );
    case CORRUPT:
    case NOTADB:
      return new ZooError(
        'internal',
        `the knowledge index ${file} is damaged (${error.message}); the next \`zoo sync\` rebuilds it from its sources`,
        { damaged: true },
      );
    default:
      return error;
  }
}

/** Errors of the driver's `all` have no code, only a message. */
const messages: readonly (readonly [RegExp, number])[] = [
  [/malformed|corrupt/, CORRUPT],
  [/not a database/, NOTADB],
  [/database or disk is full/, FULL],
  [/database (?:table )?is locked/, BUSY],
  [/disk I\/O error/, IOERR],
];

function primaryCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_SQLITE_ERROR') return null;
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode & 0xff;
  return messages.find(([pattern]) => pattern.test(error.message))?.[1] ?? null;
}
