import { test } from 'vitest';
import { openZoo } from './open-zoo.ts';

// A browser opens six connections to a host: with a stream for each window, the seventh would wait for ever.
test('more windows than a browser has connections all follow changes, also after the first is closed', async () => {
  await using zoo = await openZoo();
  const windows = [zoo.page];
  for (let count = 1; count < 8; count += 1) windows.push(await zoo.openWindow());
  for (const window of windows) await window.getByRole('heading', { name: 'Zoo', exact: true }).waitFor();
  await zoo.call('POST', '/api/agents', { name: 'Zebra', systemPrompt: 'Z.' });
  for (const window of windows) await window.getByRole('link', { name: /Zebra/ }).waitFor();

  await windows.shift()?.close();
  await zoo.call('POST', '/api/agents', { name: 'Yak', systemPrompt: 'Y.' });
  for (const window of windows) await window.getByRole('link', { name: /Yak/ }).waitFor();
});
