import { codeOf } from '../platform/files/text-file.ts';
import { messageOf } from '../platform/text/error-message.ts';

/** Why a source or one of its items failed, as a readable message without secrets. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}

const systemErrors: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'cannot be read: permission denied',
  EPERM: 'cannot be read: permission denied',
  EISDIR: 'is a folder',
  ENOTDIR: 'is not in a folder',
  ELOOP: 'is a circular link',
  EIO: 'cannot be read: disk error',
  EMFILE: 'cannot be read: too many open files',
  ENFILE: 'cannot be read: too many open files',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is exceeded',
  ENAMETOOLONG: 'has too long a name',
};

/** The reason for a failure, phrased to follow the name of the item. */
export function reasonOf(error: unknown): string {
  if (error instanceof SourceError) return error.message;
  const code = codeOf(error);
  if (code !== null && code in systemErrors) return systemErrors[code] ?? code;
  return messageOf(error);
}
