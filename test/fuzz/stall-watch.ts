import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const EVERY_MS = 20;

/** Answers like the hub's `/health`, and does nothing else: what it is late by is the machine's doing. */
const CONTROL = `
  require('node:http').createServer((_, response) => response.end('{}'))
    .listen(0, '127.0.0.1', function () { console.log(this.address().port) });
  process.stdin.resume().on('end', () => process.exit());
`;

export interface Stall<Work> {
  /** How much later the hub answered than the control process, asked at the same time. */
  ms: number;
  during: readonly Work[];
}

export interface StallWatch<Work> extends AsyncDisposable {
  /** The worst so far; begins anew. */
  take(): Stall<Work>;
  /** The longest that the control process took. */
  readonly controlMs: number;
}

/** Asks the hub and a control process for a sign of life all the time. */
export async function watchStalls<Work>(
  hubUrl: string,
  inFlight: ReadonlySet<Work>,
): Promise<StallWatch<Work>> {
  const control = spawn(process.execPath, ['-e', CONTROL], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [port] = await once(control.stdout.setEncoding('utf8'), 'data');
  const agent = new Agent({ keepAlive: true });
  let worst: Stall<Work> = { ms: 0, during: [] };
  let controlMs = 0;
  let stopped = false;
  const watching = (async () => {
    while (!stopped) {
      const during = [...inFlight];
      const [hub, bare] = await Promise.all([
        timeOf(`${hubUrl}/health`, agent),
        timeOf(`http://127.0.0.1:${Number(port)}/`, agent),
      ]);
      controlMs = Math.max(controlMs, bare);
      if (hub - bare > worst.ms) worst = { ms: hub - bare, during: [...new Set([...during, ...inFlight])] };
      await sleep(EVERY_MS);
    }
  })();
  return {
    take() {
      const taken = worst;
      worst = { ms: 0, during: [] };
      return taken;
    },
    get controlMs() {
      return controlMs;
    },
    async [Symbol.asyncDispose]() {
      stopped = true;
      await watching;
      agent.destroy();
      await end(control);
    },
  };
}

/** How long a GET takes; a hub that is gone is found by the requests themselves. */
async function timeOf(url: string, agent: Agent): Promise<number> {
  const startedAt = performance.now();
  await new Promise<void>((resolve) => {
    get(url, { agent }, (response) => response.resume().on('close', resolve)).on('error', () => resolve());
  });
  return performance.now() - startedAt;
}

async function end(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
