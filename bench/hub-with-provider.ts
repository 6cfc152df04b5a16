import type { ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOperatorToken } from '../src/platform/home/access.ts';
import { startServer, stopServer } from './measure.ts';
import { answerEvents, listen } from './streaming-provider.ts';

export const zoo = fileURLToPath(new URL('../zoo.js', import.meta.url));

export interface HubWithProvider extends AsyncDisposable {
  url: string;
  /** Of the operator. */
  token: string;
  child: ChildProcess;
  /** The hub was started in it. */
  folder: string;
  /** Of commands that use the same home. */
  env: NodeJS.ProcessEnv;
  providerUrl: string;
  /** Answers get this many pieces of text from now on. */
  setDeltas(deltas: number): void;
}

/** The built hub with this config of the user's own, and a provider that answers at once. */
export async function startHubWithProvider(
  config: string,
  nodeFlags: readonly string[] = [],
): Promise<HubWithProvider> {
  const folder = await mkdtemp(join(tmpdir(), 'zoo-bench-'));
  const [home, configFolder] = [join(folder, 'home'), join(folder, 'config')];
  await mkdir(configFolder, { recursive: true });
  await writeFile(join(configFolder, 'zoo.toml'), config);
  let answer = answerEvents(3);
  const provider = await listen((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of answer) response.write(event);
    response.end();
  });
  const env = {
    ...process.env,
    ZOO_HOME: home,
    ZOO_CONFIG_DIR: configFolder,
    ANTHROPIC_API_KEY: 'sk-bench',
    ANTHROPIC_BASE_URL: provider.url,
  };
  const args = [...nodeFlags, zoo, 'serve', '--no-open', '--port', '0'];
  const { url, child } = await startServer(args, env, folder);
  return {
    url,
    token: readOperatorToken(home) ?? '',
    child,
    folder,
    env,
    providerUrl: provider.url,
    setDeltas(deltas) {
      answer = answerEvents(deltas);
    },
    async [Symbol.asyncDispose]() {
      await stopServer(child);
      provider.server.closeAllConnections();
      provider.server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
