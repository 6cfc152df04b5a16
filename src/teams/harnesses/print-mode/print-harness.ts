import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { RunningProcess } from '../../../platform/processes/processes.ts';
import { messageOf } from '../../../platform/text/error-message.ts';
import { missingCommand, probeCommand } from '../../probe-command.ts';
import type { StartProcess } from '../../sandbox/sandbox.ts';
import type {
  Harness,
  HarnessEvent,
  HarnessHost,
  HarnessSession,
  SessionLaunch,
  TurnAnswer,
} from '../../harness.ts';
import { readLines } from './read-lines.ts';

/** One turn as a command. The prompt is written to its input. */
export interface PrintCommand {
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

/** How one program is driven in print mode: a process per turn that prints JSON lines. */
export interface PrintModeProgram extends Pick<Harness, 'name' | 'command' | 'readable' | 'hosts'> {
  env: Readonly<Record<string, string>>;
  /** Files that have to exist before the first turn, such as its MCP configuration. */
  prepare?(launch: SessionLaunch, start: StartProcess): Promise<void>;
  /** `session` is an id of ours in the first turn, which the program may replace by its own. */
  turn(session: string, isNew: boolean, launch: SessionLaunch): PrintCommand;
  /** Whether a failure means that the program does not know the session, so that it gets a new one. */
  hasForgotten(failure: string): boolean;
}

/** Output of both programs; other lines are signs of life. */
const Line = z.looseObject({
  type: z.string(),
  session_id: z.string().optional(),
  is_error: z.boolean().optional(),
  result: z.string().optional(),
  total_cost_usd: z.number().optional(),
  usage: z
    .looseObject({ input_tokens: z.number().optional(), output_tokens: z.number().optional() })
    .optional(),
  message: z
    .looseObject({
      content: z
        .array(z.looseObject({ type: z.string(), text: z.string().optional(), name: z.string().optional() }))
        .optional(),
    })
    .optional(),
  tool_call: z.record(z.string(), z.unknown()).optional(),
});
type Line = z.infer<typeof Line>;

export function createPrintModeHarness(program: PrintModeProgram): Harness {
  const { name, command, readable, hosts } = program;
  const [file = ''] = command;
  return {
    name,
    command,
    readable,
    hosts,
    missing: (env, folder) => missingCommand(file, env, folder),
    probe: (host) => probeCommand(command, host),
    open: (launch, host) => openSession(program, launch, host),
  };
}

async function openSession(
  program: PrintModeProgram,
  launch: SessionLaunch,
  { start }: HarnessHost,
): Promise<HarnessSession> {
  await program.prepare?.(launch, start);
  let isNew = launch.session === null;
  // A resumed session may not have seen it if its first turn was interrupted.
  let { isFirstTurn } = launch;
  let session = launch.session ?? randomUUID();
  let running: RunningProcess | null = null;
  let isOpen = true;
  async function runOnce(
    prompt: string,
    signal: AbortSignal,
    on: (event: HarnessEvent) => void,
  ): Promise<TurnAnswer> {
    const text = isNew || isFirstTurn ? `${launch.system}\n\n${prompt}` : prompt;
    const { args, env } = program.turn(session, isNew, launch);
    const [command = '', ...fixed] = program.command;
    const child = await start({
      command,
      args: [...fixed, ...args],
      env: { ...program.env, ...env },
      cwd: launch.folder,
      secrets: [launch.mcp.token],
    });
    running = child;
    const { answer, id } = await readTurn(child, text, signal, on);
    if (id !== null) session = id;
    isNew = false;
    isFirstTurn = false;
    return answer;
  }

  return {
    get id() {
      return session;
    },
    isAlive: () => isOpen,
    async stop() {
      isOpen = false;
      await running?.stop();
    },
    async run(prompt, signal, on) {
      try {
        return await runOnce(prompt, signal, on);
      } catch (error) {
        if (isNew || signal.aborted || !program.hasForgotten(messageOf(error))) throw error;
        isNew = true;
        session = randomUUID();
        return runOnce(prompt, signal, on);
      }
    },
  };
}

/** Until the process has ended. Rejects without a successful result. */
async function readTurn(
  child: RunningProcess,
  prompt: string,
  signal: AbortSignal,
  on: (event: HarnessEvent) => void,
): Promise<{ answer: TurnAnswer; id: string | null }> {
  const stop = (): void => void child.stop();
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  let last: Line | null = null;
  let id: string | null = null;
  readLines(child, (value) => {
    const { data: line } = Line.safeParse(value);
    if (!line) return;
    id = line.session_id ?? id;
    if (line.type === 'result') last = line;
    for (const event of eventsOf(line)) on(event);
  });
  try {
    await child.write(prompt).catch((error: unknown) => {
      // The process was stopped before it had the prompt.
      if (!signal.aborted) throw error;
    });
    child.endInput();
    const { code, signal: by } = await child.ended;
    if (signal.aborted) throw signal.reason instanceof Error ? signal.reason : new Error('cancelled');
    return { answer: answerOf(last, child, by ?? code), id };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function answerOf(
  line: Line | null,
  child: RunningProcess,
  exit: NodeJS.Signals | number | null,
): TurnAnswer {
  if (!line || line.is_error || exit !== 0) {
    const why = line?.result ?? child.said();
    throw new Error(`the process exited (${exit ?? 'unknown'})${why === '' ? '' : `: ${why}`}`);
  }
  const { input_tokens: input = 0, output_tokens: output = 0 } = line.usage ?? {};
  return { text: line.result ?? '', spent: { tokens: input + output, usd: line.total_cost_usd ?? 0 } };
}

function eventsOf({ type, message, tool_call: call }: Line): HarnessEvent[] {
  if (call) return [{ type: 'tool', title: JSON.stringify(call).slice(0, 500), kind: 'other' }];
  const parts = type === 'assistant' ? (message?.content ?? []) : [];
  if (parts.length === 0) return [{ type: 'other' }];
  return parts.map((part) =>
    part.type === 'tool_use'
      ? { type: 'tool', title: part.name ?? 'a tool', kind: 'other' }
      : { type: 'text', text: part.text ?? '' },
  );
}
