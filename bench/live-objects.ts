import type { ChildProcess } from 'node:child_process';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** For `node`, so that `liveObjects` can ask the process. */
export const SNAPSHOT_ON_SIGNAL = '--heapsnapshot-signal=SIGUSR2';

interface Snapshot {
  snapshot: { meta: { node_fields: string[]; node_types: [string[], ...unknown[]] } };
  nodes: number[];
}

/** Everything that the main thread holds after a garbage collection; compiled code comes and goes with the load. */
export async function liveObjects(child: ChildProcess, cwd: string): Promise<number> {
  child.kill('SIGUSR2');
  const { snapshot, nodes } = await readSnapshot(cwd);
  const { node_fields: fields, node_types } = snapshot.meta;
  const uncounted = new Set(
    ['code', 'hidden', 'synthetic', 'native'].map((type) => node_types[0].indexOf(type)),
  );
  let count = 0;
  for (let at = fields.indexOf('type'); at < nodes.length; at += fields.length)
    if (!uncounted.has(nodes[at] ?? -1)) count++;
  return count;
}

/** Waits until the file is written: it is valid JSON from then on. */
async function readSnapshot(folder: string): Promise<Snapshot> {
  for (;;) {
    const name = (await readdir(folder)).find((each) => each.endsWith('.heapsnapshot'));
    if (name !== undefined) {
      const text = await readFile(join(folder, name), 'utf8');
      try {
        const snapshot: Snapshot = JSON.parse(text);
        await rm(join(folder, name));
        return snapshot;
      } catch {
        // Half of it is there.
      }
    }
    await sleep(200);
  }
}
