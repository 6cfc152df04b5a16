import { expect, test } from 'vitest';
import { isLoopback } from '../../../platform/config/bind-address.ts';
import { chooseAddress, explainListenError, refuseOpenDoor } from './serve-address.ts';

test.each([
  [{}, null, { host: '127.0.0.1', port: 7331 }],
  [{}, '0.0.0.0:8080', { host: '0.0.0.0', port: 8080 }],
  [{ port: 0 }, '0.0.0.0:8080', { host: '0.0.0.0', port: 0 }],
  [{ host: 'localhost' }, ':8080', { host: 'localhost', port: 8080 }],
  [{}, '[::1]:9000', { host: '::1', port: 9000 }],
  [{}, 'localhost', { host: 'localhost', port: 7331 }],
])('flags %j and bind %j listen on %j', (flags, bind, address) => {
  expect(chooseAddress(flags, bind)).toEqual(address);
});

test.each(['', 'a:b:c', '127.0.0.1:99999', '127.0.0.1:http'])(
  'an invalid bind %j is rejected with the expected format',
  (bind) => {
    expect(() => chooseAddress({}, bind)).toThrow(/is not an address/);
  },
);

test('without tokens only this machine may call', () => {
  expect(['127.0.0.1', '127.1.2.3', '::1', 'localhost'].every(isLoopback)).toBe(true);
  expect(['0.0.0.0', '::', '192.168.1.2', 'example.org', '127.0.0.1.example.org'].some(isLoopback)).toBe(
    false,
  );
  expect(() => refuseOpenDoor({ host: '0.0.0.0', port: 1 }, false)).toThrow(/act as you/);
  expect(() => refuseOpenDoor({ host: '0.0.0.0', port: 1 }, true)).not.toThrow();
});

test('a taken port is reported with another suggestion', () => {
  const error = Object.assign(new Error('listen'), { code: 'EADDRINUSE' });
  expect(explainListenError(error, { host: '127.0.0.1', port: 7331 })).toMatchObject({
    message: 'port 7331 on 127.0.0.1 is taken by another program',
    hints: ['choose another: zoo serve --port 7332', 'any free one: --port 0'],
  });
});
