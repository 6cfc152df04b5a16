import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createLoginCodes,
  ensureOperatorToken,
  hashAgentToken,
  isAgentToken,
  isPageToken,
  isValidPageToken,
  mintAgentToken,
  mintPageToken,
  readOperatorToken,
  sameSecret,
} from './access.ts';
import { homeFiles } from './paths.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let folder: string;
let home: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'zoo-access-'));
  home = join(folder, 'home');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("the operator's token", () => {
  it('is created at the first start, is private, and stays the same', () => {
    expect(readOperatorToken(home)).toBeNull();
    const { token, warning } = ensureOperatorToken(home);
    expect(token).toMatch(/^zoo_[A-Za-z0-9_-]{43}$/);
    expect(warning).toBeNull();
    expect(statSync(homeFiles(home).operatorToken).mode & 0o777).toBe(0o600);
    expect(ensureOperatorToken(home).token).toBe(token);
    expect(readOperatorToken(home)).toBe(token);
    expect(readdirSync(home)).toEqual(['operator-token']);
  });

  it('gets private permissions again, with a warning', () => {
    const { token } = ensureOperatorToken(home);
    chmodSync(homeFiles(home).operatorToken, 0o644);
    const again = ensureOperatorToken(home);
    expect(again.token).toBe(token);
    expect(again.warning).toContain('mode 644');
    expect(statSync(homeFiles(home).operatorToken).mode & 0o777).toBe(0o600);
  });

  it('is never replaced when the file holds something else', () => {
    ensureOperatorToken(home);
    writeFileSync(homeFiles(home).operatorToken, 'hello\n');
    expect(() => ensureOperatorToken(home)).toThrow('contains no operator token');
    expect(readFileSync(homeFiles(home).operatorToken, 'utf8')).toBe('hello\n');
  });

  it('is the same for processes that create it concurrently', async () => {
    const script = join(folder, 'ensure.mjs');
    await build({
      stdin: {
        contents: `import { ensureOperatorToken } from './access.ts';
          process.stdout.write('ready ');
          process.stdin.once('data', () => process.stdout.write(ensureOperatorToken(process.argv[2]).token));`,
        resolveDir: import.meta.dirname,
      },
      bundle: true,
      platform: 'node',
      target: 'node20.19',
      format: 'esm',
      outfile: script,
    });
    const children = Array.from({ length: 6 }, () => spawn(process.execPath, [script, home]));
    const said = children.map((child) => text(child.stdout));
    await Promise.all(
      children.map((child) => new Promise((resolve) => child.stdout.once('readable', resolve))),
    );
    for (const child of children) child.stdin.end('go');
    const tokens = new Set(await Promise.all(said));
    expect([...tokens]).toEqual([`ready ${readOperatorToken(home)}`]);
    expect(readdirSync(home)).toEqual(['operator-token']);
  });
});

describe('comparing secrets', () => {
  it.each([
    ['same', 'same', true],
    ['same', 'sand', false],
    ['same', 'samer', false],
    ['', 'x', false],
    ['ä', 'a', false],
  ])('%j and %j', (a, b, same) => expect(sameSecret(a, b)).toBe(same));
});

describe('tokens of agents', () => {
  it('differ from the operator’s, and are stored as a hash', () => {
    const { token, hash } = mintAgentToken();
    expect(isAgentToken(token)).toBe(true);
    expect(isAgentToken(ensureOperatorToken(home).token)).toBe(false);
    expect(hash).toBe(hashAgentToken(token));
    expect(hash).not.toContain(token.slice(10));
    expect(mintAgentToken().token).not.toBe(token);
  });
});

describe('tokens of the page', () => {
  const at = (time: number) => new Date(time);

  it('last thirty days', () => {
    const { token, expiresAt } = mintPageToken('zoo_secret', at(0));
    expect(isPageToken(token)).toBe(true);
    expect(expiresAt).toBe(at(30 * DAY).toISOString());
    expect(isValidPageToken('zoo_secret', token, at(30 * DAY - 1))).toBe(true);
    expect(isValidPageToken('zoo_secret', token, at(30 * DAY))).toBe(false);
  });

  it('are invalidated with the operator token that signed them', () => {
    expect(isValidPageToken('zoo_other', mintPageToken('zoo_secret', at(0)).token, at(1))).toBe(false);
  });

  it('cannot be extended, cut or forged', () => {
    const { token } = mintPageToken('zoo_secret', at(0));
    const [nonce, expiry, signature] = token.split('.');
    for (const forged of [
      `${nonce}.${Number(expiry) + DAY}.${signature}`,
      `${nonce}.${expiry}`,
      `${nonce}.${expiry}.`,
      '',
      'zoo_page_',
      `${token}.`,
    ]) {
      expect(isValidPageToken('zoo_secret', forged, at(1))).toBe(false);
    }
  });
});

describe('login codes', () => {
  it('work once', () => {
    const codes = createLoginCodes();
    const code = codes.create();
    expect(codes.redeem('something else')).toBe(false);
    expect(codes.redeem(code)).toBe(true);
    expect(codes.redeem(code)).toBe(false);
  });

  it('work for ten minutes', () => {
    let now = 0;
    const codes = createLoginCodes(() => now);
    const [early, late] = [codes.create(), codes.create()];
    now = 10 * MINUTE - 1;
    expect(codes.redeem(early)).toBe(true);
    now = 10 * MINUTE;
    expect(codes.redeem(late)).toBe(false);
  });

  it('do not pile up', () => {
    const codes = createLoginCodes();
    const first = codes.create();
    for (let count = 0; count < 200; count += 1) codes.create();
    expect(codes.redeem(first)).toBe(false);
    expect(codes.redeem(codes.create())).toBe(true);
  });
});
