import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import * as z from 'zod';
import { readOperatorToken } from '../../src/platform/home/access.ts';
import { startFakeModel } from '../fake-model/fake-model.ts';
import { say } from '../fake-model/script.ts';
import { tempHome } from '../zoo-command.ts';
import { type FuzzRequest, Tool } from './http-requests.ts';
import { type FuzzAnswer, sendRequest } from './send-request.ts';

const FILES = {
  'zoo.toml': `
[agents.helper]
system_prompt = "You help {{name}}."
tools = ["*"]
[[agents.helper.arguments]]
name = "name"

[agents.writer]
system_prompt = "You write."

[connectors.filesystem.docs]
root = "docs"
`,
  'docs/notes.md': '# Notes\n\nThe quick brown fox jumps over the lazy dog.\n',
  'docs/guide.md': '# Guide\n\n## Install\n\nRun the installer.\n',
};

const HubFile = z.looseObject({ socket: z.string() });
const Tools = z.looseObject({ tools: z.array(Tool) });

export interface FuzzTarget extends AsyncDisposable {
  url: string;
  pid: number;
  token: string;
  /** The folder the hub was started in. */
  work: string;
  socket: string;
  openapi: unknown;
  tools: readonly Tool[];
  send(request: FuzzRequest): Promise<FuzzAnswer>;
  isRunning(): boolean;
}

/** The built program, serving a small workspace, with agents that generated requests may change. */
export async function startTarget(args: readonly string[] = []): Promise<FuzzTarget> {
  const home = await tempHome(FILES);
  // Generated runs need a provider; this one answers every request.
  const model = await startFakeModel([{ ...say('ok'), again: true }], { maxRequests: Infinity });
  Object.assign(home.env, { ANTHROPIC_API_KEY: 'key-of-the-fuzz-target', ANTHROPIC_BASE_URL: model.url });
  const dispose = async () => {
    await home[Symbol.asyncDispose]();
    await model[Symbol.asyncDispose]();
  };
  try {
    const { url, child } = await home.serve(args);
    const zooHome = join(home.path, 'home');
    const token = readOperatorToken(zooHome) ?? '';
    const agent = new Agent({ keepAlive: true, maxSockets: 64 });
    const send = (request: FuzzRequest) => sendRequest(url, agent, token, request);
    const read = async (path: string): Promise<unknown> =>
      JSON.parse((await send({ method: 'GET', path, headers: {}, body: undefined })).body);
    for (const id of ['fuzz-1', 'fuzz-2']) {
      const body = JSON.stringify({ id, name: id, systemPrompt: 'Fuzz.' });
      await send({
        method: 'POST',
        path: '/api/agents',
        headers: { 'content-type': 'application/json' },
        body,
      });
    }
    return {
      url,
      token,
      send,
      work: home.work,
      pid: child.pid ?? 0,
      socket: HubFile.parse(JSON.parse(readFileSync(join(zooHome, 'hub.json'), 'utf8'))).socket,
      openapi: await read('/openapi.json'),
      tools: Tools.parse(await read('/tools/list')).tools,
      isRunning: () => child.exitCode === null && child.signalCode === null,
      async [Symbol.asyncDispose]() {
        agent.destroy();
        await dispose();
      },
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}
