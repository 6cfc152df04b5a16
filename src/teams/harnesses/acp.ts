import type * as acp from '@agentclientprotocol/sdk';
import { ZooError } from '../../contract/errors.ts';
import { VERSION } from '../../platform/home/version.ts';
import type { RunningProcess } from '../../platform/processes/processes.ts';
import { messageOf } from '../../platform/text/error-message.ts';
import type { StartProcess } from '../sandbox/sandbox.ts';
import type { Harness, HarnessSession, McpAccess, SessionLaunch, TurnAnswer } from '../harness.ts';
import type { LiveTurn } from './acp/client.ts';
import { outputBytes } from './acp/output-bytes.ts';
import { createTerminals } from './acp/terminals.ts';
import { createUsage } from './acp/usage.ts';
import { missingCommand, probeCommand } from '../probe-command.ts';

/** Long enough for a slow agent to start, short enough to tell a user that it does not. */
const START_MS = 60_000;
const CANCEL_MS = 5_000;

export interface HarnessCommand extends Pick<Harness, 'name' | 'command' | 'readable' | 'hosts'> {
  env: Readonly<Record<string, string>>;
}

/** Any agent that speaks the Agent Client Protocol on its standard streams. */
export function createAcpHarness({ env, ...about }: HarnessCommand): Harness {
  const { name, command } = about;
  const [program = '', ...args] = command;
  return {
    ...about,
    missing: (hubEnv, folder) => missingCommand(program, hubEnv, folder),
    probe: (host) => probeCommand(command, host),
    async open(launch, { start }) {
      const child = await start({ command: program, args, env, cwd: launch.folder });
      try {
        return await withTimeout(openSession(child, launch, start), child, launch.signal);
      } catch (error) {
        await child.stop();
        const [why, said] = [messageOf(error), child.said()];
        const more = said === '' || why.includes(said) ? '' : `\n${said}`;
        throw new ZooError('agent_error', `${name} did not start: ${why}${more}`);
      }
    },
  };
}

async function withTimeout<T>(work: Promise<T>, child: RunningProcess, signal: AbortSignal): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error(`no answer within ${START_MS / 1000} s`)), START_MS);
  try {
    return await orEnd(work, child, AbortSignal.any([signal, late.signal]));
  } finally {
    clearTimeout(timer);
  }
}

async function openSession(
  child: RunningProcess,
  launch: SessionLaunch,
  start: StartProcess,
): Promise<HarnessSession> {
  // On demand: the SDK builds its schemas while it loads, which would delay every command.
  const [sdk, { clientFor }] = await Promise.all([
    import('@agentclientprotocol/sdk'),
    import('./acp/client.ts'),
  ]);
  let turn: LiveTurn | null = null;
  const terminals = createTerminals(launch, start);
  const usage = createUsage();
  const connection = clientFor(launch, terminals, () => turn).connect(
    sdk.ndJsonStream(
      new WritableStream<Uint8Array>({ write: (bytes) => child.write(Buffer.from(bytes).toString('utf8')) }),
      outputBytes(child),
    ),
  );
  const { agent } = connection;
  const { agentCapabilities = {} } = await agent.request('initialize', {
    protocolVersion: sdk.PROTOCOL_VERSION,
    clientInfo: { name: 'agent-zoo', version: VERSION },
    clientCapabilities: {
      fs: { readTextFile: true, writeTextFile: !launch.readOnly },
      terminal: terminals.areOffered,
    },
  });
  const { id, isNew } = await startOrResume(agent, launch, agentCapabilities);
  // A resumed session may not have seen it if its first turn was interrupted.
  let system = isNew || launch.isFirstTurn ? launch.system : '';

  return {
    id,
    isAlive: () => child.exit() === null,
    async stop() {
      await Promise.all([child.stop(), terminals.close()]);
    },
    async run(prompt, signal, on): Promise<TurnAnswer> {
      const live: LiveTurn = { text: '', on, signal, usage: usage.report, titles: new Map() };
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
        return { text: live.text, spent: usage.take() };
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
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
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
  { loadSession, sessionCapabilities, mcpCapabilities }: acp.AgentCapabilities,
): Promise<{ id: string; isNew: boolean }> {
  const mcpServers = [mcpCapabilities?.http ? overHttp(mcp) : overStdio(mcp)];
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

const overHttp = ({ name, url, token }: McpAccess): acp.McpServer => ({
  type: 'http',
  name,
  url,
  headers: [{ name: 'Authorization', value: `Bearer ${token}` }],
});

/** For agents that do not say that they speak MCP over HTTP: every agent can start servers as programs. */
const overStdio = ({ name, token, bridge: { command, args, env } }: McpAccess): acp.McpServer => ({
  name,
  command,
  args: [...args],
  env: Object.entries({ ...env, ZOO_TOKEN: token }).map(([key, value]) => ({ name: key, value })),
});
