import { describe, expect, it } from 'vitest';
import { ZooError } from '../../contract/errors.ts';
import { createGuard, refuseForeignPage } from './guard.ts';

function codeOf(check: () => void): unknown {
  try {
    check();
    return null;
  } catch (error) {
    return error instanceof ZooError ? error.code : error;
  }
}

const guard = createGuard(['Zoo.example', 'box.local:8080']);
const attempt = (headers: Record<string, string>) => () => guard.check(new Headers(headers));

describe('Host', () => {
  it.each([
    'localhost',
    'localhost:7331',
    '127.0.0.1:7331',
    '[::1]:7331',
    '[::1]',
    'LOCALHOST:1',
    'zoo.example:99',
    'box.local:8080',
  ])('%s is accepted', (host) => expect(attempt({ host })).not.toThrow());

  it.each([
    '',
    'evil.example',
    'evil.example:7331',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'localhost:7331.evil.example',
    'localhost.',
    'localhost@evil.example',
    'localhost, evil.example',
    '0.0.0.0:7331',
    '127.0.0.2',
    '[::2]',
    'box.local',
    'box.local:8081',
  ])('%j is foreign on every request', (host) => {
    expect(attempt({ host })).toThrow(expect.objectContaining({ code: 'foreign_host' }));
    expect(attempt({ host })).toThrow('allowed_hosts');
  });
});

describe('Origin', () => {
  const host = 'localhost:7331';
  it.each(['http://localhost:7331', 'https://localhost:7331', 'HTTP://LOCALHOST:7331'])(
    '%s is accepted',
    (origin) => expect(attempt({ host, origin })).not.toThrow(),
  );

  it.each([
    'null',
    '',
    'http://localhost',
    'http://localhost:3000',
    'http://127.0.0.1:7331',
    'https://evil.example',
    'http://localhost:7331.evil.example',
    'ftp://localhost:7331',
    'chrome-extension://abc',
  ])('%j is foreign', (origin) =>
    expect(attempt({ host, origin })).toThrow(expect.objectContaining({ code: 'foreign_origin' })),
  );
});

describe('without tokens', () => {
  it.each([
    ['its own page reads', 'GET', { 'sec-fetch-site': 'same-origin' }, true],
    ['its own page writes', 'POST', { 'sec-fetch-site': 'same-origin' }, true],
    ['a person opens the page', 'GET', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }, true],
    [
      'a person follows a link',
      'GET',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
      true,
    ],
    ['another site embeds it', 'GET', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, false],
    ['another port of this host embeds it', 'GET', { 'sec-fetch-site': 'same-site' }, false],
    [
      'a form of another port writes',
      'POST',
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' },
      false,
    ],
    ['curl writes', 'POST', {}, true],
  ])('%s', (_name, method, headers, allowed) => {
    const check = () => refuseForeignPage(method, new Headers(headers));
    expect(codeOf(check)).toBe(allowed ? null : 'foreign_origin');
  });
});
