import { codeOf } from '../platform/files/text-file.ts';
import { messageOf } from '../platform/text/error-message.ts';

/** What is wrong with a source or with one of its items, in words for people, without secrets. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}

const systemErrors: Readonly<Record<string, string>> = {
  ENOENT: 'is not there',
  EACCES: 'may not be read: permission denied',
  EPERM: 'may not be read: permission denied',
  EISDIR: 'is a folder',
  ENOTDIR: 'is not in a folder',
  ELOOP: 'leads in a circle of links',
  EIO: 'could not be read: the disk reports an error',
  EMFILE: 'could not be read: too many files are open',
  ENFILE: 'could not be read: too many files are open',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENAMETOOLONG: 'has too long a name',
};

/** Completes a sentence that begins with the name of the item. */
export function reasonOf(error: unknown): string {
  if (error instanceof SourceError) return error.message;
  const code = codeOf(error);
  if (code !== null && code in systemErrors) return systemErrors[code] ?? code;
  return messageOf(error);
}
