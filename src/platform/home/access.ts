import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  constants,
  copyFileSync,
  chmodSync,
  linkSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { ZooError } from '../../contract/errors.ts';
import { homeFiles } from './paths.ts';
import { makeFolder } from '../files/make-folder.ts';

const OPERATOR_TOKEN = /^zoo_[A-Za-z0-9_-]{43}$/;
const AGENT_TOKEN = /^zoo_agent_[A-Za-z0-9_-]{43}$/;
const MEMBER_TOKEN = /^zoo_member_[A-Za-z0-9_-]{43}$/;
const DAY_MS = 24 * 60 * 60 * 1000;
const PAGE_PREFIX = 'zoo_page_';
const PAGE_TOKEN = /^zoo_page_([A-Za-z0-9_-]{22}\.(\d{1,16}))\.([A-Za-z0-9_-]{43})$/;
const PAGE_TOKEN_MS = 30 * DAY_MS;
const LOGIN_MS = 10 * 60 * 1000;
const MAX_LOGIN_CODES = 100;

const secret = (bytes = 32): string => randomBytes(bytes).toString('base64url');
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Compares in constant time. The lengths of our secrets are public. */
export function sameSecret(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** The operator's token, or null before the first start. Quick: commands read it at each start. */
export function readOperatorToken(home: string): string | null {
  const file = homeFiles(home).operatorToken;
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null;
    throw error;
  }
  if (OPERATOR_TOKEN.test(text)) return text;
  throw new ZooError(
    'invalid_format',
    `${file} contains no operator token. Delete it; the next start creates a new one.`,
  );
}

export interface OperatorToken {
  token: string;
  /** A permission problem that was fixed. */
  warning: string | null;
}

/** The operator's token, created if missing. Concurrent processes get the same one. */
export function ensureOperatorToken(home: string): OperatorToken {
  const file = homeFiles(home).operatorToken;
  const existing = readOperatorToken(home);
  if (existing) return { token: existing, warning: repairMode(file) };

  makeFolder(dirname(file), 0o700);
  const draft = `${file}.${process.pid}.${secret(6)}`;
  try {
    writeFileSync(draft, `zoo_${secret()}\n`, { mode: 0o600, flag: 'wx' });
    placeOnce(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
  const token = readOperatorToken(home);
  if (!token) throw new ZooError('internal', `${file} was deleted while it was being created`);
  return { token, warning: repairMode(file) };
}

/** Linking is atomic; the loser of a race uses the winner's file. */
function placeOnce(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return;
    placeCopyOnce(draft, file);
  }
}

/** For file systems without hard links. */
function placeCopyOnce(draft: string, file: string): void {
  try {
    copyFileSync(draft, file, constants.COPYFILE_EXCL);
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error;
  }
}

/** Windows has no file modes; the permissions of the profile folder apply. */
function repairMode(file: string): string | null {
  if (process.platform === 'win32') return null;
  const mode = statSync(file).mode & 0o777;
  if ((mode & 0o077) === 0) return null;
  chmodSync(file, 0o600);
  return `${file} was open to other users (mode ${mode.toString(8)}); its permissions were fixed. If anybody else uses this machine, delete it and restart for a new token.`;
}

/** The token is shown once; the store keeps the hash. */
export function mintAgentToken(): { token: string; hash: string } {
  const token = `zoo_agent_${secret()}`;
  return { token, hash: hashAgentToken(token) };
}

/** Plain SHA-256 is enough for 256 random bits. */
export const hashAgentToken = (token: string): string => sha256(token);

export const isAgentToken = (token: string): boolean => AGENT_TOKEN.test(token);

/** For one session of a team member. */
export function mintMemberToken(): { token: string; hash: string } {
  const token = `zoo_member_${secret()}`;
  return { token, hash: sha256(token) };
}

export const isMemberToken = (token: string): boolean => MEMBER_TOKEN.test(token);

export const isPageToken = (token: string): boolean => token.startsWith(PAGE_PREFIX);

const sign = (operatorToken: string, payload: string): string =>
  createHmac('sha256', operatorToken).update(`zoo-page ${payload}`).digest('base64url');

/** The page's token is not stored: it is signed with the operator's token, so a new operator token invalidates it. */
export function mintPageToken(operatorToken: string, now: Date): { token: string; expiresAt: string } {
  const expiry = now.getTime() + PAGE_TOKEN_MS;
  const payload = `${secret(16)}.${expiry}`;
  const token = `${PAGE_PREFIX}${payload}.${sign(operatorToken, payload)}`;
  return { token, expiresAt: new Date(expiry).toISOString() };
}

export function isValidPageToken(operatorToken: string, token: string, now: Date): boolean {
  const parts = PAGE_TOKEN.exec(token);
  const [, payload = '', expiry, signature = ''] = parts ?? [];
  return (
    parts !== null && sameSecret(signature, sign(operatorToken, payload)) && Number(expiry) > now.getTime()
  );
}

/** One-time codes of login links, in memory only. */
export interface LoginCodes {
  create(): string;
  /** True once per code, within ten minutes. */
  redeem(code: string): boolean;
}

export function createLoginCodes(now: () => number = Date.now): LoginCodes {
  // Keyed by hash, so that lookups leak no timing.
  const expiries = new Map<string, number>();
  return {
    create() {
      for (const [hash, expiry] of expiries) {
        if (expiry <= now() || expiries.size >= MAX_LOGIN_CODES) expiries.delete(hash);
      }
      const code = secret(24);
      expiries.set(sha256(code), now() + LOGIN_MS);
      return code;
    },
    redeem(code) {
      const hash = sha256(code);
      const expiry = expiries.get(hash);
      expiries.delete(hash);
      return expiry !== undefined && expiry > now();
    },
  };
}

const isErrno = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
