import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { readOperatorToken } from '../../src/platform/access.ts';
import { startFakeModel } from '../fake-model/fake-model.ts';
import type { FakeModel } from '../fake-model/fake-model.ts';
import type { Step } from '../fake-model/script.ts';
import { tempHome } from '../zoo-command.ts';
import type { Driver, ServerEntry, Task } from './driver.ts';
import { findLeftBehind, runClient } from './run-client.ts';
import type { ClientOutcome } from './run-client.ts';

const program = fileURLToPath(new URL('../../dist/zoo.js', import.meta.url));

export type Transport = ServerEntry['transport'];

/** A running hub, and clients that are started on it, one after another, each with a HOME of its own. */
export async function createStage() {
  const home = await tempHome();
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
    clientHome,
    expectNothingLeft,

    async addAgent(agent: { id: string; name: string; systemPrompt: string; arguments?: object[] }) {
      const response = await fetch(`${hub.url}/api/agents`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(agent),
      });
      if (response.status !== 201) throw new Error(`The agent was not added: ${await response.text()}`);
    },

    /** A client's whole conversation with a model that does these steps. Gives what the model was asked. */
    async converse(driver: Driver, transport: Transport, task: Task, steps: readonly Step[]) {
      await using model = await startFakeModel(steps);
      const client = clientHome();
      const server = servers[transport];
      const launch = driver.launch({ task, server, modelUrl: model.url, home: client });
      const outcome = await runClient(driver.name, launch, { home: client, folder: home.work });
      expectGoodRun(model, outcome);
      await expectNothingLeft();
      return model.requests;
    },

    [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
  };
}

/** Shows what the client said, because the model's side alone does not tell why. */
function expectGoodRun(model: FakeModel, { code, out, err }: ClientOutcome): void {
  const stepsLeft = model.stepsLeft();
  if (code === 0 && stepsLeft === 0 && model.problems.length === 0) return;
  const problems = [`The client ended with ${code}, ${stepsLeft} steps before the end.`, ...model.problems];
  throw new Error([...problems, 'It said:', out.slice(-2000), err.slice(-2000)].join('\n'));
}
