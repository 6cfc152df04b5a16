import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { campaignSize } from '../campaign.ts';
import { workspaceFiles } from './workspace-files.ts';
import { type FuzzTarget, startTarget } from './fuzz-target.ts';

const WORKSPACES = Number(process.env['ZOO_FUZZ_FILES'] ?? campaignSize(5, 1000));
const AT_ONCE = 3;
const SEED = Number(process.env['ZOO_SEED'] ?? Date.now() % 2 ** 31);

const Workspace = z.looseObject({ id: z.string() });
const Listed = z.looseObject({ agents: z.array(z.looseObject({ name: z.string() })) });

/** An agent or a tool whose own code fails is 500 on purpose; anything else is not. */
const EXPECTED = /"code":"(agent_error|tool_error)"/;

it(`serves ${WORKSPACES} workspaces of generated files`, { timeout: 3_600_000 }, async () => {
  console.log(`seed ${SEED} (ZOO_SEED chooses another)`);
  await using target = await startTarget(['--trust-all']);
  const problems: string[] = [];
  let next = 0;
  const visitNext = async (): Promise<void> => {
    while (next < WORKSPACES && problems.length < 10) {
      const n = next++;
      const [files = {}] = fc.sample(workspaceFiles, { seed: SEED + n, numRuns: 1 });
      const folder = join(target.work, '..', 'generated', String(n));
      await writeAll(folder, files);
      const found = await visit(target, folder);
      problems.push(...found.map((each) => `seed ${SEED + n}: ${each}\n${String(files['zoo.toml'])}`));
      await rm(folder, { recursive: true, force: true });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, visitNext));
  expect(target.isRunning()).toBe(true);
  expect(problems).toEqual([]);
});

async function writeAll(folder: string, files: Record<string, string | Uint8Array>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}

/** Everything that a client would ask of a workspace. */
async function visit(target: FuzzTarget, folder: string): Promise<string[]> {
  const problems: string[] = [];
  const ask = async (method: string, path: string, body?: unknown): Promise<string> => {
    const headers = { 'content-type': 'application/json' };
    const sent = { method, path, headers, body: body === undefined ? undefined : JSON.stringify(body) };
    const answer = await target.send(sent).catch((error: unknown) => ({ status: 0, body: String(error) }));
    const wrong = answer.status === 0 || (answer.status >= 500 && !EXPECTED.test(answer.body));
    if (wrong) problems.push(`${method} ${path} → ${answer.status} ${answer.body.slice(0, 400)}`);
    return answer.body;
  };
  const opened = Workspace.safeParse(JSON.parse(await ask('POST', '/api/workspaces', { path: folder })));
  if (!opened.success) return problems;
  const at = `workspace=${opened.data.id}`;
  await ask('GET', `/api/diagnostics?${at}`);
  await ask('GET', `/api/trust?${at}`);
  await ask('GET', `/tools/list?${at}`);
  await ask('POST', `/api/knowledge/sync?${at}`, {});
  await ask('GET', `/api/knowledge/sources?${at}`);
  await ask('POST', `/api/knowledge/search?${at}`, { query: 'note' });
  const { agents = [] } = Listed.safeParse(JSON.parse(await ask('GET', `/agents/list?${at}`))).data ?? {};
  for (const { name } of agents) await ask('POST', `/agents/${encodeURIComponent(name)}/prompt?${at}`, {});
  return problems;
}
