import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/temp-folder.ts';
import { findHub } from '../../platform/home/hub-file.ts';
import { serveHub } from './serve-hub.ts';
import type { ServedSurfaces } from './served-surfaces.ts';

async function serving(surfaces: Partial<ServedSurfaces> = {}) {
  const folder = await tempFolder({ 'zoo.toml': '' });
  const closed: string[] = [];
  const use = () => ({ open: 0, lastAt: 0 });
  const options = {
    home: join(folder.path, 'home'),
    env: { ZOO_CONFIG_DIR: join(folder.path, 'config') },
    folder: folder.path,
    auth: true,
    untilIdle: false,
    address: () => ({ first: { host: '127.0.0.1', port: 1 }, second: { host: '127.0.0.1', port: 2 } }),
    surfaces: {
      startHttp: async (_hub: unknown, { port }: { port: number }) => ({
        url: `http://127.0.0.1:${port}`,
        use,
        close: async () => void closed.push('http'),
      }),
      startSocket: async () => ({ use, close: async () => void closed.push('socket') }),
      ...surfaces,
    },
  };
  return { options, closed, home: options.home, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] };
}

it('serves a home once, publishes its address, and leaves nothing behind', async () => {
  await using start = await serving();
  const served = await serveHub(start.options);
  expect(findHub(start.home)).toMatchObject({ pid: process.pid, url: 'http://127.0.0.1:1' });
  expect(await serveHub(start.options)).toBeNull();
  await served?.close();
  expect(start.closed.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(['http', 'socket']);
  expect(findHub(start.home)).toBeNull();
  const again = await serveHub(start.options);
  await again?.close();
});

it('falls back to the second address if the first one is taken', async () => {
  await using start = await serving();
  const { startHttp } = start.options.surfaces;
  start.options.surfaces.startHttp = async (hub, settings) => {
    if (settings.port === 1) throw new Error('taken');
    return startHttp(hub, settings);
  };
  const served = await serveHub(start.options);
  expect(served?.url).toBe('http://127.0.0.1:2');
  await served?.close();
});

it('closes everything and frees the home when one part cannot start', async () => {
  await using start = await serving({ startSocket: () => Promise.reject(new Error('no socket')) });
  await expect(serveHub(start.options)).rejects.toThrow('no socket');
  expect(start.closed).toEqual(['http']);
  await using next = await serving();
  const again = await serveHub({ ...next.options, home: start.home });
  expect(again).not.toBeNull();
  await again?.close();
});

it('closes the rest and frees the home when one part fails to close', async () => {
  const use = () => ({ open: 0, lastAt: 0 });
  const close = () => Promise.reject(new Error('stuck'));
  await using start = await serving({ startSocket: async () => ({ use, close }) });
  const served = await serveHub(start.options);
  await expect(served?.close()).rejects.toThrow('stuck');
  expect(start.closed).toEqual(['http']);
  await using next = await serving();
  const again = await serveHub({ ...next.options, home: start.home });
  await again?.close();
  expect(again).not.toBeNull();
});
