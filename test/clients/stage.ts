import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { readOperatorToken } from '../../src/platform/home/access.ts';
import { startFakeModel } from '../fake-model/fake-model.ts';
import type { FakeModel } from '../fake-model/fake-model.ts';
import type { Step } from '../fake-model/script.ts';
import { tempHome } from '../zoo-command.ts';
import type { Driver, ServerEntry, Task } from './driver.ts';
import { findLeftBehind, runClient, writeFiles } from './run-client.ts';
import type { ClientOutcome } from './run-client.ts';

const program = fileURLToPath(new URL('../../dist/zoo.js', import.meta.url));

export type Transport = ServerEntry['transport'];

/**
 * A running hub, and clients that are started on it, one after another, each with a HOME of its own.
 * @param files of the folder that they all run in
 * @param env of the hub
 */
export async function createStage(files: Record<string, string> = {}, env: Record<string, string> = {}) {
  const home = await tempHome(files);
  Object.assign(home.env, env);
  const hub = await home.serve();
  const zooHome = join(home.path, 'home');
  const headers = { Authorization: `Bearer ${readOperatorToken(zooHome)}` };
  const servers: Record<Transport, ServerEntry> = {
    stdio: {
      transport: 'stdio',
      command: process.execPath,
      args: [program, 'mcp'],
      env: { ZOO_HOME: zooHome, ZOO_CONFIG_DIR: join(home.path, 'config') },
    },
    http: { transport: 'http', url: `${hub.url}/mcp`, headers },
    connected: { transport: 'connected' },
  };
  let runs = 0;

  const clientHome = (): string => {
    runs += 1;
    const path = join(home.path, `client-${runs}`);
    mkdirSync(path);
    return path;
  };

  const expectNothingLeft = async (): Promise<void> => {
    expect(await findLeftBehind(home.path, [hub.child.pid ?? 0])).toEqual([]);
  };

  return {
    servers,
    folder: home.work,
    /** Writes a file of the folder that the clients run in. */
    write: home.write,
    clientHome,
    expectNothingLeft,

    async addAgent(agent: { id: string; name: string; systemPrompt: string } & Record<string, unknown>) {
      const response = await fetch(`${hub.url}/api/agents`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(agent),
      });
      if (response.status !== 201) throw new Error(`The agent was not added: ${await response.text()}`);
    },

    /** Gives a client a HOME where it finds this hub, and what to start it with. */
    async prepare(driver: Driver, transport: Transport, task: Task, modelUrl: string) {
      const client = clientHome();
      const launch = driver.launch({ task, server: servers[transport], modelUrl, home: client });
      await writeFiles(client, launch.files);
      if (transport === 'connected') {
        const { code, err } = await home.zoo(['connect', driver.name], { env: { HOME: client } });
        if (code !== 0) throw new Error(`zoo connect ${driver.name} ended with ${code}: ${err}`);
      }
      return { launch, place: { home: client, folder: home.work } };
    },

    /** A client's whole conversation with a model that does these steps. Gives what the model was asked. */
    async converse(driver: Driver, transport: Transport, task: Task, steps: readonly Step[]) {
      await using model = await startFakeModel(steps);
      const { launch, place } = await this.prepare(driver, transport, task, model.url);
      expectGoodRun(model, await runClient(driver.name, launch, place));
      await expectNothingLeft();
      return model.requests;
    },

    [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
  };
}

/** Shows what the client said, because the model's side alone does not tell why. */
export function expectGoodRun(model: FakeModel, { code, out, err }: ClientOutcome): void {
  const stepsLeft = model.stepsLeft();
  if (code === 0 && stepsLeft === 0 && model.problems.length === 0) return;
  const problems = [`The client ended with ${code}, ${stepsLeft} steps before the end.`, ...model.problems];
  throw new Error([...problems, 'It said:', out.slice(-2000), err.slice(-2000)].join('\n'));
}
