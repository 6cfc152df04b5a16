import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';

/** The value below which this share of the samples lies. */
function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (samples: readonly number[]): number => quantile(samples, 0.5);

/** A port that nothing listened on a moment ago. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/**
 * Runs each contestant in turn, round after round, so that whatever else the machine does falls on all alike.
 * The first one is the baseline; the first tenth of the rounds only warms up.
 */
export async function compare(
  rounds: number,
  contestants: Record<string, () => Promise<unknown>>,
): Promise<Record<string, number[]>> {
  const samples: Record<string, number[]> = Object.fromEntries(
    Object.keys(contestants).map((name) => [name, []]),
  );
  for (let round = 0; round < rounds * 1.1; round++) {
    for (const [name, work] of Object.entries(contestants)) {
      const took = await timed(work);
      if (round >= rounds * 0.1) samples[name]?.push(took);
    }
  }
  return samples;
}

/** A table of quantiles, as times (which mean little here) and as ratios to the first row (which mean something). */
export function report(title: string, samples: Record<string, number[]>, goal?: string): void {
  const rows = Object.entries(samples).map(([name, values]) => ({
    name,
    p50: quantile(values, 0.5),
    p99: quantile(values, 0.99),
  }));
  const base = rows[0];
  console.log(`\n${title}${goal === undefined ? '' : `   (goal: ${goal})`}`);
  for (const { name, p50, p99 } of rows) {
    const ratio = base ? `${(p50 / base.p50).toFixed(2)}×` : '';
    console.log(
      `  ${name.padEnd(44)} ${p50.toFixed(3).padStart(9)} ms p50 ${p99.toFixed(3).padStart(9)} ms p99 ${ratio.padStart(8)}`,
    );
  }
}

/** What each takes more than the first one, from which both the difference and its share of the first follow. */
export function reportAdded(title: string, samples: Record<string, number[]>, goal?: string): void {
  report(title, samples, goal);
  const [base, ...others] = Object.entries(samples).map(
    ([name, values]) => [name, quantile(values, 0.5)] as const,
  );
  for (const [name, p50] of others) {
    const added = p50 - (base?.[1] ?? 0);
    const share = added / (base?.[1] ?? 1);
    console.log(
      `  added by: ${name.padEnd(34)} ${added.toFixed(3).padStart(9)} ms p50 ${`${share.toFixed(2)}×`.padStart(8)} of the first`,
    );
  }
}

/** Starts a program that says `ready URL` on its first line. */
export async function startServer(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd?: string,
): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, args, { env, cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    const url = /http:\/\/[\d.:]+/.exec(text)?.[0];
    if (url !== undefined) return { url, child };
  }
  throw new Error(`${args.join(' ')} ended before it was ready`);
}

export async function stopServer(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

export interface Call {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** One connection that is kept, as a client that calls again and again has. */
export function createCaller(url: string): (call: Call) => Promise<string> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return ({ method, path, headers = {}, body }) =>
    new Promise((resolve, reject) => {
      const outgoing = request(
        url + path,
        {
          method,
          agent,
          headers: {
            ...headers,
            ...(body === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
          },
        },
        (incoming) => {
          let text = '';
          incoming.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          incoming.on('end', () => {
            const ok = incoming.statusCode !== undefined && incoming.statusCode < 400;
            if (ok) resolve(text);
            else reject(new Error(`${method} ${path}: ${incoming.statusCode} ${text}`));
          });
        },
      );
      outgoing.on('error', reject).end(body);
    });
}
