import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import * as z from 'zod';
import { readOperatorToken } from '../../src/platform/home/access.ts';
import { openSocketClient } from '../fuzz/socket-client.ts';
import { fixture } from '../upstreams/upstream-servers.ts';
import { tempHome } from '../zoo-command.ts';

const Called = z.looseObject({ result: z.array(z.looseObject({ text: z.string() })) });
const Workspace = z.looseObject({ id: z.string() });
const HubFile = z.looseObject({ socket: z.string() });

export interface Soak extends AsyncDisposable {
  pid: number;
  /** Everything that the hub has printed. */
  said(): string;
  /** One operation in one of the workspaces; throws if the hub does not answer as it should. */
  run(operation: number): Promise<void>;
}

/** Every third workspace has a source whose folder is missing, so that its syncs fail. */
const configOf = (workspace: number, edit: number): string =>
  `[agents.helper]\nsystem_prompt = "Edit ${edit}."\n` +
  `[connectors.filesystem.docs]\nroot = "${workspace % 3 === 0 ? 'missing' : 'docs'}"\n`;

/** The built program with an upstream server, and folders to open as workspaces. */
export async function startSoak(workspaces: number): Promise<Soak> {
  const home = await tempHome({
    'zoo.toml': `${fixture('fixture', 'legacy')}[agents.helper]\nsystem_prompt = "Hi."\n`,
  });
  try {
    const { url, child, said } = await home.serve(['--trust-all']);
    const zooHome = join(home.path, 'home');
    const token = readOperatorToken(zooHome) ?? '';
    const folders = Array.from({ length: workspaces }, (_, n) => join(home.path, 'workspaces', String(n)));
    for (const [n, folder] of folders.entries()) {
      await mkdir(join(folder, 'docs'), { recursive: true });
      await writeFile(join(folder, 'zoo.toml'), configOf(n, 0));
      await writeFile(join(folder, 'docs', 'note.md'), `# Note\n\nNote ${n}.\n`);
    }
    const request = createRequester(url, token);
    const operations = createOperations({ url, token, zooHome, work: home.work, folders, request });
    return {
      pid: child.pid ?? 0,
      said,
      async run(operation) {
        await operations[operation % operations.length]?.(Math.floor(operation / operations.length));
      },
      [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
    };
  } catch (error) {
    await home[Symbol.asyncDispose]();
    throw error;
  }
}

type Requester = (method: string, path: string, body?: unknown) => Promise<string>;

function createRequester(url: string, token: string): Requester {
  return async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text;
  };
}

interface Stage {
  url: string;
  token: string;
  zooHome: string;
  work: string;
  folders: readonly string[];
  request: Requester;
}

/** Each is called with the number of its round. */
function createOperations(stage: Stage): ((round: number) => Promise<void>)[] {
  const { folders, request } = stage;
  const open = async (round: number): Promise<string> => {
    const path = folders[round % folders.length];
    return Workspace.parse(JSON.parse(await request('POST', '/api/workspaces', { path }))).id;
  };
  const called = async (again = true): Promise<number> => {
    const answer = await request('POST', '/tools/fixture__who', {}).catch((error: unknown) => {
      // It was killed by an earlier round, and the hub has only now noticed.
      if (again && String(error).includes('exited during the call')) return null;
      throw error;
    });
    if (answer === null) return called(false);
    return Number(Called.parse(JSON.parse(answer)).result[0]?.text);
  };
  return [
    async (round) => void (await request('GET', `/agents/list?workspace=${await open(round)}`)),
    async (round) => {
      const n = round % folders.length;
      await writeFile(join(folders[n] ?? '', 'zoo.toml'), configOf(n, round));
      await request('GET', `/api/diagnostics?workspace=${await open(round)}`);
    },
    async (round) => void (await request('POST', `/api/knowledge/sync?workspace=${await open(round)}`, {})),
    async (round) => {
      const pid = await called();
      if (round % 5 === 0) process.kill(pid, 'SIGKILL');
    },
    async (round) => {
      const id = `soak-${round % 20}`;
      await request('POST', '/api/agents', { id: `${id}-${round}`, name: id, systemPrompt: 'Soak.' });
      await request('DELETE', `/api/agents/${id}-${round}`);
    },
    async (round) => void (await request('POST', `/agents/helper/prompt?workspace=${await open(round)}`, {})),
    () => visitOverMcp(stage),
    () => visitOverSocket(stage),
    async () => {
      await request('GET', '/api/workspaces');
      await request('GET', '/api/status');
    },
    async (round) => {
      const path = `/api/knowledge/search?workspace=${await open(round)}`;
      await request('POST', path, { query: `note ${round}` });
    },
  ];
}

async function visitOverMcp({ url, token }: Stage): Promise<void> {
  const client = new Client({ name: 'soak', version: '1' });
  const headers = { authorization: `Bearer ${token}` };
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } });
  await client.connect(transport);
  await client.listTools();
  await transport.terminateSession();
  await client.close();
}

async function visitOverSocket({ token, zooHome, work }: Stage): Promise<void> {
  const { socket } = HubFile.parse(JSON.parse(await readFile(join(zooHome, 'hub.json'), 'utf8')));
  const client = await openSocketClient({ socket, token, work });
  await client.send('{"jsonrpc":"2.0","id":"soak","method":"ping"}', 'soak');
  client.close();
}
