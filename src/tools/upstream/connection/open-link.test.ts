import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../../test/temp-folder.ts';
import {
  createProcesses,
  type Exit,
  ProcessEnded,
  type Processes,
} from '../../../platform/processes/processes.ts';
import { openLink } from './open-link.ts';

it('reports how a server exited when it was gone before the handshake', async () => {
  await using folder = await tempFolder();
  const processes = createProcesses(`${folder.path}/processes`, process.env);
  /** As on a busy machine: its input is closed before its exit is known. */
  const start: Processes['start'] = async (launch) => {
    const running = await processes.start(launch);
    const exit = await running.ended;
    let known: Exit | null = null;
    const ended = sleep(50).then(() => (known = exit));
    const write = () => Promise.reject(new ProcessEnded('the process has exited'));
    return { ...running, write, ended, exit: () => known };
  };
  const opening = openLink(
    {
      kind: 'stdio',
      command: process.execPath,
      args: ['-e', 'console.error("no key"); process.exit(3)'],
      env: {},
      cwd: folder.path,
      secrets: [],
    },
    {
      processes: { start },
      era: 'legacy',
      asks: false,
      onAsks: () => undefined,
      alone: false,
      timeoutMs: 10_000,
      auth: null,
      signal: new AbortController().signal,
      onListsChanged: () => undefined,
      onResourceUpdated: () => undefined,
    },
  );
  await expect(opening).rejects.toThrow('exited with code 3. It said:\nno key');
  await processes.settled();
});
