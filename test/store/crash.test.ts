import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import type { Implementation } from '../../src/contract/api.ts';
import type { CallContext } from '../../src/contract/call.ts';
import { createHub } from '../../src/hub/create-hub.ts';
import { openSqlite } from '../../src/platform/store/databases/index.ts';
import { homeFiles } from '../../src/platform/home/paths.ts';
import { campaignSize } from '../campaign.ts';
import { tempFolder } from '../temp-folder.ts';

const EDITS = campaignSize(40, 200);
const KILLS = campaignSize(6, 20);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** Built into dist, where the writer finds the package and its workers as the command does. */
async function buildWriter(): Promise<string> {
  const outfile = `${root}dist/test/crash-writer.mjs`;
  await build({
    entryPoints: [`${root}test/store/crash-writer.ts`],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    mainFields: ['module', 'main'],
    packages: 'external',
    define: { __ZOO_VERSION__: '"test"' },
    logLevel: 'error',
  });
  return outfile;
}

function start(writer: string, args: string[], acknowledged: string[]): ChildProcess {
  const child = spawn(process.execPath, [writer, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let rest = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    acknowledged.push(...lines);
  });
  return child;
}

/** What the store holds of an edit that was acknowledged. */
async function storedValue(operations: Implementation, context: CallContext, line: string): Promise<string> {
  const [kind, id = '', mark = ''] = line.split(' ');
  if (kind === 'brain') return (await operations.getBrainEntry({ id, entryId: mark }, context)).content;
  if (kind === 'skill') return (await operations.getSkill({ id, skillId: mark }, context)).name;
  const agent = await operations.getRevision({ id, revision: Number(mark) }, context);
  return kind === 'edit' ? agent.description : agent.name;
}

it(
  'keeps every acknowledged edit of two processes that are killed at any moment',
  { timeout: 600_000 },
  async () => {
    const writer = await buildWriter();
    await using home = await tempFolder();
    const options = { home: home.path, env: { ZOO_CONFIG_DIR: `${home.path}/config` }, folder: home.path };
    const first = await createHub(options);
    const context = first.localContext(await first.workspaceFor(undefined));
    for (const n of [0, 1, 2])
      await first.operations.createAgent({ body: { id: `agent-${n}`, name: `A${n}` } }, context);
    await first.close();

    const acknowledged: string[] = [];
    let kills = 0;
    while (acknowledged.length < EDITS || kills < KILLS) {
      const before = acknowledged.length;
      const children = [
        start(writer, [home.path, 'threads', 'a'], acknowledged),
        start(writer, [home.path, 'alone', 'b'], acknowledged),
      ];
      while (acknowledged.length === before) {
        expect(children.map(({ exitCode }) => exitCode)).toEqual([null, null]);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 120));
      const ended = children.map((child) => once(child, 'close'));
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(ended);
      kills += children.length;

      const db = await openSqlite(homeFiles(home.path).database, { threads: false });
      expect(await db.check()).toEqual([]);
      await db.close();
    }

    const hub = await createHub(options);
    const { operations } = hub;
    for (const line of acknowledged) {
      expect([line, await storedValue(operations, context, line)]).toEqual([line, line.split(' ')[3]]);
    }
    const { agents } = await operations.listAgents({ limit: 100_000 }, context);
    for (const { id, revision } of agents) {
      const { revisions } = await operations.agentHistory({ id, limit: 10_000 }, context);
      const numbers = revisions.map((each) => each.revision);
      expect(numbers).toEqual(Array.from({ length: revision }, (_, n) => revision - n));
    }
    await hub.close();
  },
);
