import { messageOf } from './error-message.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EROFS: 'the file system is read-only',
  EISDIR: 'it is a folder',
  ENOTDIR: 'part of the path is not a folder',
  EEXIST: 'it already exists as something else',
  ENOSPC: 'the disk is full',
  EMFILE: 'too many open files',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'host not found',
  ETIMEDOUT: 'timed out',
};

/** The reason for a system or network error, in words. */
export function reasonOf(error: unknown): string {
  // The message of `fetch` is "fetch failed", whatever the reason.
  if (error instanceof TypeError && error.cause instanceof Error) return reasonOf(error.cause);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return REASONS[code] ?? messageOf(error);
}

/** The path of a failed system call, if any. */
export function refusedPath(error: unknown): string | null {
  if (!(error instanceof Error) || !('syscall' in error) || !('path' in error)) return null;
  return typeof error.path === 'string' ? error.path : null;
}
