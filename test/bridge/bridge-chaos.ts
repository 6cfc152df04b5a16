import { type BridgeClient, type BridgeHome, eras, isAlive, kill, until } from './bridge-home.ts';

export interface ChaosOptions {
  bridges: number;
  calls: number;
  /** How often the hub is killed on the way. */
  kills: number;
}

export interface ChaosReport {
  answered: number;
  /** Told that nothing happened. */
  refused: number;
  /** Told that it may have happened. */
  doubtful: number;
  /** Whatever else came of a call: there must be none. */
  wrong: string[];
  /** Writes by what became of them. */
  written: { acknowledged: Set<string>; doubtful: Set<string> };
}

/** A list of memories ends at a thousand, so they are asked for by parts. */
const BUCKETS = 4;

interface Call {
  /** Set for writes: what must be found afterwards, once. */
  mark: string | null;
  run(): Promise<string>;
  expected: string;
}

/** Many clients call at once while their hub is killed again and again. */
export async function runChaos(home: BridgeHome, options: ChaosOptions): Promise<ChaosReport> {
  const clients = await Promise.all(
    Array.from({ length: options.bridges }, (_, n) => home.connect({ era: eras[n % 2] ?? 'legacy' })),
  );
  // Bridges learn from the list which tools only read.
  await Promise.all(clients.map(({ client }) => client.listTools()));
  const report: ChaosReport = {
    answered: 0,
    refused: 0,
    doubtful: 0,
    wrong: [],
    written: { acknowledged: new Set(), doubtful: new Set() },
  };
  let made = 0;
  const done = (): number => report.answered + report.refused + report.doubtful + report.wrong.length;
  const work = async (bridge: BridgeClient): Promise<void> => {
    for (let n = made++; n < options.calls; n = made++) await settle(createCall(bridge, n), report);
  };
  const killing = (async () => {
    for (let n = 1; n <= options.kills; n += 1) {
      await until(() => done() >= (options.calls * n) / (options.kills + 1), 120_000);
      const hubs = home.hubs().length;
      kill(home.hub().pid);
      await until(() => home.hubs().length > hubs, 30_000);
    }
  })();
  // A few calls of each client are under way at any time.
  await Promise.all(clients.flatMap((bridge) => [work(bridge), work(bridge), work(bridge)]));
  await killing;
  for (const { pid } of clients) if (!isAlive(pid)) report.wrong.push(`the bridge ${pid} died`);
  await Promise.all(clients.map(({ client }) => client.close()));
  await until(() => clients.every(({ pid }) => !isAlive(pid)));
  return report;
}

/** What the store says about the writes: nothing is missing, double or unheard of. */
export async function auditWrites(home: BridgeHome, { written }: ChaosReport): Promise<string[]> {
  const found: string[] = [];
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
    const search = ['--search', `chaos-${bucket}-`, '-n', '1000'];
    const { out } = await home.zoo(['brain', 'list', 'guide', ...search, '--json']);
    found.push(...(out.match(/chaos-\d+-\d+\./g) ?? []));
  }
  const times = new Map<string, number>();
  for (const mark of found) times.set(mark, (times.get(mark) ?? 0) + 1);
  const { acknowledged, doubtful } = written;
  return [
    ...[...acknowledged].filter((mark) => !times.has(mark)).map((mark) => `${mark} is missing`),
    ...[...times].filter(([, count]) => count > 1).map(([mark]) => `${mark} is there twice`),
    ...[...times.keys()]
      .filter((mark) => !acknowledged.has(mark) && !doubtful.has(mark))
      .map((mark) => `${mark} is there, and was said not to be`),
  ];
}

function createCall({ client }: BridgeClient, n: number): Call {
  const tool = async (name: string, args: Record<string, unknown>): Promise<string> =>
    JSON.stringify(await client.callTool({ name, arguments: args }));
  const read = (run: () => Promise<string>, expected: string): Call => ({ mark: null, run, expected });
  switch (n % 10) {
    case 0: {
      const mark = `chaos-${(n / 10) % BUCKETS}-${n}.`;
      const run = () =>
        tool('agent_zoo_create_brain_entry', { agentId: 'guide', type: 'note', content: mark });
      return { mark, run, expected: mark };
    }
    case 1:
      return read(async () => JSON.stringify(await client.listPrompts()), '"guide"');
    case 2:
      return read(async () => JSON.stringify(await client.getPrompt({ name: 'guide' })), 'Agent Zoo');
    case 3:
      return read(
        async () => JSON.stringify(await client.readResource({ uri: 'agent-zoo://agents/guide' })),
        'guide',
      );
    case 4:
      return read(() => tool('agent_zoo_get_agent', { agentId: 'nobody' }), 'AGENT_NOT_FOUND');
    case 5:
      return read(() => tool('agent_zoo_list_agents', {}), 'guide');
    default:
      return read(() => tool('agent_zoo_inject', { agentId: 'guide' }), 'You are now Guide.');
  }
}

async function settle({ mark, run, expected }: Call, report: ChaosReport): Promise<void> {
  try {
    const answer = await run();
    if (!answer.includes(expected)) report.wrong.push(`wrong answer: ${answer.slice(0, 300)}`);
    else report.answered += 1;
    if (mark !== null) report.written.acknowledged.add(mark);
  } catch (error) {
    const data = error instanceof Error && 'data' in error ? (error.data as { happened?: string }) : {};
    if (data?.happened === 'no') report.refused += 1;
    else if (data?.happened === 'maybe' && mark !== null) {
      report.doubtful += 1;
      report.written.doubtful.add(mark);
    } else report.wrong.push(`unclear error: ${String(error)}`);
  }
}
