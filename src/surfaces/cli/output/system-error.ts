import { messageOf } from '../../../platform/text/error-message.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'this is not permitted',
  EPERM: 'this is not permitted',
  EROFS: 'it cannot be written to',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of it is no folder',
  EEXIST: 'it is there already, as something else',
  ENOSPC: 'the disk is full',
  EMFILE: 'too many files are open',
};

/** Why the machine refused, in words. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return REASONS[code] ?? messageOf(error);
}

/** The file that the machine refused, if that is what the error is about. */
export function refusedPath(error: unknown): string | null {
  if (!(error instanceof Error) || !('syscall' in error) || !('path' in error)) return null;
  return typeof error.path === 'string' ? error.path : null;
}
