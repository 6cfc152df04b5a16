import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Harness, SessionLaunch } from '../../harness.ts';
import type { StartProcess } from '../../sandbox/sandbox.ts';
import { pathInside } from '../../workspace.ts';
import type { HarnessCommand } from '../acp.ts';
import { createPrintModeHarness } from './print-harness.ts';

const ENABLE_MS = 30_000;

/**
 * `cursor-agent -p`. Its MCP servers come from files alone, so the file is in the home of the member: one in the
 * workspace would be shared by all members that work there.
 */
export function createCursorPrintHarness(about: HarnessCommand): Harness {
  const [command = '', ...fixed] = about.command;
  return createPrintModeHarness({
    ...about,
    hasForgotten: (failure) => /not found|unknown (?:chat|session)/i.test(failure),
    async prepare(launch, start) {
      await writeFiles(launch);
      await enableServer({ command, fixed, env: about.env }, launch, start);
    },
    turn: (session, isNew, { home }) => ({
      args: [
        ...'-p --output-format stream-json --trust --approve-mcps --force'.split(' '),
        ...(isNew ? [] : ['--resume', session]),
      ],
      env: { HOME: home.inside },
    }),
  });
}

async function writeFiles({ home, folder, mcp }: SessionLaunch): Promise<void> {
  const settings = join(home.outside, '.cursor');
  await mkdir(settings, { recursive: true, mode: 0o700 });
  const headers = { Authorization: `Bearer ${mcp.token}` };
  const servers = { mcpServers: { [mcp.name]: { url: mcp.url, headers } } };
  await writeFile(join(settings, 'mcp.json'), JSON.stringify(servers), { mode: 0o600 });
  // `--trust` alone is unreliable.
  const workspace = await pathInside(folder, '.cursor');
  await mkdir(workspace, { recursive: true });
  await writeFile(await pathInside(folder, '.cursor/.workspace-trusted'), '');
}

/** `--approve-mcps` alone is unreliable. */
async function enableServer(
  { command, fixed, env }: { command: string; fixed: readonly string[]; env: HarnessCommand['env'] },
  { home, folder, mcp, signal }: SessionLaunch,
  start: StartProcess,
): Promise<void> {
  const args = [...fixed, 'mcp', 'enable', mcp.name];
  const child = await start({ command, args, env: { ...env, HOME: home.inside }, cwd: folder });
  child.stdout.resume();
  const stop = (): void => void child.stop();
  const late = AbortSignal.any([signal, AbortSignal.timeout(ENABLE_MS)]);
  if (late.aborted) stop();
  else late.addEventListener('abort', stop, { once: true });
  await child.ended;
  late.removeEventListener('abort', stop);
}
