import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import * as acp from '@agentclientprotocol/sdk';
import { createClient } from '../../src/client.ts';
import type { Input, Output, UnaryName } from '../../src/contract/api.ts';
import { httpTransport } from '../../src/surfaces/cli/hub-access/http-transport.ts';
import { bridgeHome } from '../bridge/bridge-home.ts';
import { startFakeModel } from '../fake-model/fake-model.ts';
import type { Step } from '../fake-model/script.ts';

const program = fileURLToPath(new URL('../../dist/zoo.js', import.meta.url));

/** An agent with one tool of the hub, and one whose list lets the editor's tools in. */
export const AGENTS = `
[agents.helper]
name = "Helper"
system_prompt = "You help."
tools = ["sources"]

[agents.coder]
name = "Coder"
system_prompt = "You write code."
tools = ["sources", "Read", "Write", "Edit", "Bash", "TodoWrite", "mcp__echo"]
`;

export interface EditorOptions {
  args?: readonly string[];
  env?: Record<string, string>;
  capabilities?: acp.ClientCapabilities;
  /** The option that the person chooses; never answered by default. */
  permit?(asked: acp.RequestPermissionRequest): string | Promise<string>;
  /** Files of the editor. */
  files?: Map<string, string>;
}

/** An editor at the end of `zoo acp`: the SDK's own client side over a real process. */
export interface Editor extends AsyncDisposable {
  agent: acp.ClientContext;
  child: ChildProcess;
  updates: acp.SessionNotification[];
  asked: acp.RequestPermissionRequest[];
  /** Text of the agent's messages so far, or of its thoughts. */
  text(kind?: 'agent_message_chunk' | 'agent_thought_chunk'): string;
  said(): string;
  initialize(): Promise<acp.InitializeResponse>;
  /** Starts a session in the folder of the home. */
  open(more?: Partial<acp.NewSessionRequest>): Promise<acp.NewSessionResponse>;
  prompt(sessionId: string, text: string): Promise<acp.PromptResponse>;
}

/** For tests: a home with a model and agents, and editors that come to it through `zoo acp`. */
export async function editorHome(steps: readonly Step[], config = AGENTS) {
  const model = await startFakeModel(steps, { maxRequests: 500 });
  const home = await bridgeHome(
    {},
    { ANTHROPIC_API_KEY: 'sk-secret-key-of-tests', ANTHROPIC_BASE_URL: model.url },
  );
  mkdirSync(join(home.path, 'config'), { recursive: true });
  writeFileSync(join(home.path, 'config/zoo.toml'), config);
  const children: ChildProcess[] = [];

  function start({ args = ['helper'], env = {}, ...options }: EditorOptions = {}): Editor {
    const child = spawn(process.execPath, [program, 'acp', ...args], {
      cwd: home.work,
      env: { ...home.env, ...env },
    });
    children.push(child);
    return startEditor(child, home.work, options);
  }

  return {
    ...home,
    model,
    /** The operator's call of an operation, over HTTP. */
    async call<N extends UnaryName>(name: N, input: Input<N>): Promise<Output<N>> {
      const { out } = await home.zoo(['token']);
      return createClient(httpTransport(home.hub(), out.trim())).call(name, input);
    },
    /** An editor before the handshake. */
    start,
    async editor(options: EditorOptions = {}): Promise<Editor> {
      const editor = start(options);
      await editor.initialize();
      return editor;
    },
    async [Symbol.asyncDispose]() {
      for (const child of children) child.kill('SIGKILL');
      await home[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
    },
  };
}

function startEditor(child: ChildProcess, cwd: string, options: EditorOptions): Editor {
  const updates: acp.SessionNotification[] = [];
  const asked: acp.RequestPermissionRequest[] = [];
  const files = options.files ?? new Map<string, string>();
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  if (!child.stdin || !child.stdout) throw new Error('the process has no streams');
  const app = acp
    .client({ name: 'test-editor' })
    .onNotification('session/update', ({ params }) => void updates.push(params))
    .onRequest('session/request_permission', async ({ params }) => {
      asked.push(params);
      const optionId = await (options.permit?.(params) ?? new Promise<never>(() => undefined));
      return { outcome: { outcome: 'selected', optionId } };
    })
    .onRequest('fs/read_text_file', ({ params: { path } }) => {
      const content = files.get(path);
      if (content === undefined) throw acp.RequestError.resourceNotFound(path);
      return { content };
    })
    .onRequest('fs/write_text_file', ({ params: { path, content } }) => {
      files.set(path, content);
      return {};
    });
  addTerminals(app);
  const connection = app.connect(
    acp.ndJsonStream(Writable.toWeb(child.stdin), toBytes(Readable.toWeb(child.stdout))),
  );
  const { agent } = connection;
  return {
    agent,
    child,
    updates,
    asked,
    text: (kind = 'agent_message_chunk') =>
      updates
        .flatMap(({ update }) =>
          update.sessionUpdate === kind &&
          'content' in update &&
          !Array.isArray(update.content) &&
          update.content.type === 'text'
            ? [update.content.text]
            : [],
        )
        .join(''),
    said: () => said,
    initialize: () =>
      agent.request('initialize', {
        protocolVersion: acp.PROTOCOL_VERSION,
        clientInfo: { name: 'test-editor', version: '1' },
        clientCapabilities: options.capabilities ?? {},
      }),
    open: (more = {}) => agent.request('session/new', { cwd, mcpServers: [], ...more }),
    prompt: (sessionId, text) =>
      agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }),
    async [Symbol.asyncDispose]() {
      connection.close();
      const ended = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill();
      await ended;
    },
  };
}

/** Terminals that print what they were asked to run. */
function addTerminals(app: acp.ClientApp): void {
  const commands = new Map<string, string>();
  app
    .onRequest('terminal/create', ({ params: { command } }) => {
      const terminalId = `terminal-${commands.size + 1}`;
      commands.set(terminalId, command);
      return { terminalId };
    })
    .onRequest('terminal/wait_for_exit', () => ({ exitCode: 0 }))
    .onRequest('terminal/output', ({ params: { terminalId } }) => ({
      output: `ran ${commands.get(terminalId)}`,
      truncated: false,
    }))
    .onRequest('terminal/release', () => ({}))
    .onRequest('terminal/kill', () => ({}));
}

/** The streams of Node and of the web differ in their types only. */
function toBytes(stream: ReturnType<typeof Readable.toWeb>): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}
