import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/temp-folder.ts';
import { createProcesses } from '../../platform/processes/processes.ts';
import { outputBytes } from './acp/output-bytes.ts';
import { readLines } from './print-mode/read-lines.ts';

async function start(script: string) {
  const folder = await tempFolder();
  const processes = createProcesses(folder.path, { PATH: process.env['PATH'] });
  const child = await processes.start({ command: 'node', args: ['-e', script], env: {}, cwd: folder.path });
  return {
    child,
    async [Symbol.asyncDispose]() {
      await child.stop();
      await processes.settled();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const ENDLESS = "setInterval(() => process.stdout.write('x'.repeat(10_000)), 1)";

test('a line of several megabytes is read whole in print mode', async () => {
  await using at = await start("console.log(JSON.stringify('y'.repeat(5_000_000))); console.log('\"next\"')");
  const lines: unknown[] = [];
  readLines(at.child, (value) => lines.push(value));
  await at.child.ended;
  expect(lines.map((line) => String(line).length)).toEqual([5_000_000, 4]);
});

test('a process is ended, with the reason, for a line that does not end', async () => {
  await using printing = await start(ENDLESS);
  readLines(printing.child, () => undefined, 100_000);
  await using speaking = await start(ENDLESS);
  const output = outputBytes(speaking.child, 100_000);
  await Promise.all([printing.child.ended, speaking.child.ended]);
  expect(printing.child.said()).toContain('a line of output has more than 100000 characters');
  expect(speaking.child.said()).toContain('a line of output has more than 100000 bytes');
  await output.cancel();
});
