import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/temp-folder.ts';
import { createGateways } from './gateways.ts';

test('a gateway that could not be opened is opened by the next process of the member', async () => {
  await using folder = await tempFolder();
  const sockets = join(folder.path, 'gateways');
  writeFileSync(sockets, 'in the way');
  const gateways = createGateways(sockets);
  await expect(gateways.open('m1', () => true)).rejects.toThrow('EEXIST');
  rmSync(sockets);
  expect(await gateways.open('m1', () => true)).toBe(join(sockets, 'm1.sock'));
  await gateways.closeAll();
});

test('a request is cancelled at its host when the member cancels it', async () => {
  await using folder = await tempFolder();
  const host = createServer((_asked, answer) => void answer.write('the first of many lines'));
  host.listen(0, '127.0.0.1');
  await once(host, 'listening');
  const address = host.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const cancelled = new Promise<string>((resolve) =>
    host.once('request', (_asked, answer) => answer.once('close', () => resolve('cancelled'))),
  );
  const gateways = createGateways(folder.path);
  const socketPath = await gateways.open('m1', () => true);
  const download = request({ socketPath, path: `http://127.0.0.1:${port}/` });
  download.on('error', () => undefined).end();
  await once(download, 'response');
  download.destroy();
  expect(await cancelled).toBe('cancelled');
  await gateways.closeAll();
  host.close();
});
