import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startHub } from '../../../../test/start-hub.ts';
import { serveConnection } from './connection.ts';

const line = (message: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;

const INITIALIZE = line({
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});

/** A client's end that can break. Each write waits for the one before, as on a slow pipe. */
function breakableOutput() {
  let broken: 'error' | 'close' | null = null;
  const output = new Writable({
    highWaterMark: 1,
    write(_chunk, _encoding, done) {
      output.emit('sent');
      if (broken === 'error') done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
      else if (broken === 'close') output.destroy();
      else done();
    },
  });
  return { output, breakWith: (how: 'error' | 'close') => (broken = how) };
}

it.each(['error', 'close'] as const)(
  'a client that disconnects while it is notified is not logged as a failure (%s)',
  async (how) => {
    await using started = await startHub();
    const errors: unknown[] = [];
    const input = new PassThrough();
    const { output, breakWith } = breakableOutput();
    const connection = serveConnection(
      started.hub,
      started.hub.localContext(await started.hub.workspaceFor(undefined)),
      { input, output },
      { log: { error: (...logged) => void errors.push(logged) } },
    );
    const answered = once(output, 'sent');
    input.write(INITIALIZE);
    await answered;
    input.write(line({ method: 'notifications/initialized' }));
    breakWith(how);
    const notified = once(output, 'sent');
    await started.request('POST', '/api/agents', { name: 'New One' });
    await notified;
    input.end();
    await connection.closed;
    // Rejections of pending sends reach the log within this turn of the event loop.
    await setImmediate();
    expect(errors).toEqual([]);
  },
);
