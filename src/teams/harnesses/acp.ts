import * as acp from '@agentclientprotocol/sdk';
import { ZooError } from '../../contract/errors.ts';
import { VERSION } from '../../platform/home/version.ts';
import type { RunningProcess } from '../../platform/processes/processes.ts';
import { messageOf } from '../../platform/text/error-message.ts';
import type { Harness, HarnessEvent, HarnessSession, SessionLaunch, TurnAnswer } from '../harness.ts';
import { readInside, writeInside } from '../workspace.ts';
import { probeCommand } from '../probe-command.ts';

/** Long enough for a slow agent to start, short enough to tell a user that it does not. */
const START_MS = 60_000;
const CANCEL_MS = 5_000;
/** An answer is only kept in the log. */
const MOST_ANSWER = 200_000;

/** Any agent that speaks the Agent Client Protocol on its standard streams. */
export function createAcpHarness(
  name: string,
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Harness {
  const [program = '', ...args] = command;
  return {
    name,
    command,
    probe: (host) => probeCommand(program, host),
    async open(launch, { processes }) {
      const child = await processes.start({ command: program, args, env, cwd: launch.folder });
      try {
        return await withTimeout(openSession(child, launch), START_MS, child);
      } catch (error) {
        await child.stop();
        const said = child.said();
        throw new ZooError(
          'agent_error',
          `${name} did not start: ${messageOf(error)}${said === '' ? '' : `\n${said}`}`,
        );
      }
    },
  };
}

async function withTimeout<T>(work: Promise<T>, ms: number, child: RunningProcess): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms / 1000} s`)), ms);
  });
  const ended = child.ended.then(({ code, signal }): never => {
    throw new Error(`the process exited (${signal ?? code ?? 'unknown'})`);
  });
  try {
    return await Promise.race([work, late, ended]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
    ended.catch(() => undefined);
  }
}

interface LiveTurn {
  text: string;
  on(event: HarnessEvent): void;
  signal: AbortSignal;
}

async function openSession(child: RunningProcess, launch: SessionLaunch): Promise<HarnessSession> {
  let turn: LiveTurn | null = null;
  const connection = clientFor(launch, () => turn).connect(
    acp.ndJsonStream(
      new WritableStream<Uint8Array>({ write: (bytes) => child.write(Buffer.from(bytes).toString('utf8')) }),
      bytesOf(child),
    ),
  );
  const { agent } = connection;
  const { agentCapabilities = {} } = await agent.request('initialize', {
    protocolVersion: acp.PROTOCOL_VERSION,
    clientInfo: { name: 'agent-zoo', version: VERSION },
    clientCapabilities: { fs: { readTextFile: true, writeTextFile: !launch.readOnly } },
  });
  const { id, isNew } = await startOrResume(agent, launch, agentCapabilities);
  let system = isNew ? launch.system : '';

  return {
    id,
    isAlive: () => child.exit() === null,
    stop: () => child.stop(),
    async run(prompt, signal, on): Promise<TurnAnswer> {
      const live: LiveTurn = { text: '', on, signal };
      turn = live;
      const text = [system, prompt].filter((part) => part !== '').join('\n\n');
      const cancel = (): void => {
        void agent.notify('session/cancel', { sessionId: id }).catch(() => undefined);
        setTimeout(() => void child.stop(), CANCEL_MS).unref();
      };
      signal.addEventListener('abort', cancel, { once: true });
      try {
        const answered = agent.request('session/prompt', {
          sessionId: id,
          prompt: [{ type: 'text', text }],
        });
        const { stopReason } = await orEnd(answered, child, signal);
        if (stopReason === 'cancelled' || stopReason === 'refusal') throw new Error(`stopped: ${stopReason}`);
        system = '';
        return { text: live.text, spent: { tokens: 0, usd: 0 } };
      } finally {
        signal.removeEventListener('abort', cancel);
        turn = null;
      }
    },
  };
}

/** Rejects at once when the process ends or the turn is aborted, whatever the agent does. */
async function orEnd<T>(answered: Promise<T>, child: RunningProcess, signal: AbortSignal): Promise<T> {
  answered.catch(() => undefined);
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason instanceof Error ? signal.reason : new Error('cancelled'));
    signal.addEventListener('abort', abort, { once: true });
  });
  const ended = child.ended.then(({ code, signal: by }): never => {
    const said = child.said();
    throw new Error(`the process exited (${by ?? code ?? 'unknown'})${said === '' ? '' : `: ${said}`}`);
  });
  ended.catch(() => undefined);
  aborted.catch(() => undefined);
  try {
    return await Promise.race([answered, ended, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

async function startOrResume(
  agent: acp.ClientContext,
  { folder, session, mcp }: SessionLaunch,
  { loadSession, sessionCapabilities }: acp.AgentCapabilities,
): Promise<{ id: string; isNew: boolean }> {
  const mcpServers: acp.McpServer[] = [
    {
      type: 'http',
      name: mcp.name,
      url: mcp.url,
      headers: [{ name: 'Authorization', value: `Bearer ${mcp.token}` }],
    },
  ];
  if (session !== null) {
    try {
      if (sessionCapabilities?.resume) {
        await agent.request('session/resume', { sessionId: session, cwd: folder, mcpServers });
        return { id: session, isNew: false };
      }
      if (loadSession) {
        await agent.request('session/load', { sessionId: session, cwd: folder, mcpServers });
        return { id: session, isNew: false };
      }
    } catch {
      // The agent has forgotten the session; it gets a new one, with everything it has to know.
    }
  }
  const { sessionId } = await agent.request('session/new', { cwd: folder, mcpServers });
  return { id: sessionId, isNew: true };
}

/** What the agent may ask of its client: permissions, and files inside its workspace. */
function clientFor(launch: SessionLaunch, current: () => LiveTurn | null): acp.ClientApp {
  return acp
    .client({ name: 'agent-zoo' })
    .onNotification('session/update', ({ params: { update } }) => {
      const turn = current();
      if (!turn) return;
      if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text') {
        turn.text += update.content.text.slice(0, MOST_ANSWER - turn.text.length);
        turn.on({ type: 'text', text: update.content.text });
      } else if (update.sessionUpdate === 'tool_call') {
        turn.on({ type: 'tool', title: update.title, kind: update.kind ?? 'other' });
      } else {
        turn.on({ type: 'other' });
      }
    })
    .onRequest('session/request_permission', async ({ params: { toolCall, options } }) => {
      const allowed = await launch.permit(
        {
          title: toolCall.title ?? 'a tool',
          kind: toolCall.kind ?? 'other',
          paths: (toolCall.locations ?? []).map(({ path }) => path),
        },
        current()?.signal ?? AbortSignal.abort(),
      );
      const wanted = allowed ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'];
      const option = wanted.map((kind) => options.find((each) => each.kind === kind)).find(Boolean);
      return {
        outcome: option ? { outcome: 'selected', optionId: option.optionId } : { outcome: 'cancelled' },
      };
    })
    .onRequest('fs/read_text_file', async ({ params: { path, line, limit } }) => {
      const text = await readInside(launch.folder, path);
      if (line === undefined && limit === undefined) return { content: text };
      const lines = text.split('\n');
      const from = Math.max((line ?? 1) - 1, 0);
      return {
        content: lines
          .slice(from, limit === undefined || limit === null ? undefined : from + limit)
          .join('\n'),
      };
    })
    .onRequest('fs/write_text_file', async ({ params: { path, content } }) => {
      if (launch.readOnly) throw new Error('this member may not write files');
      await writeInside(launch.folder, path, content);
      return {};
    });
}

/** Ends with the process rather than with its output, so that a turn fails with the reason of the exit. */
function bytesOf({ stdout, ended }: RunningProcess): ReadableStream<Uint8Array> {
  let open = true;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      stdout.on('data', (bytes: Buffer) => {
        if (open) controller.enqueue(new Uint8Array(bytes));
      });
      const close = (): void => {
        if (open) controller.close();
        open = false;
      };
      void ended.then(() => setImmediate(close));
    },
    cancel() {
      open = false;
    },
  });
}
