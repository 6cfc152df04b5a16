import { isAbsolute, resolve } from 'node:path';
import type { AgentContext, ClientCapabilities, PlanEntry, SessionUpdate } from '@agentclientprotocol/sdk';
import * as z from 'zod';
import { ZooError } from '../../contract/errors.ts';
import { parse } from '../../contract/parsing/parse.ts';
import type { Tool, ToolCall, ToolResult } from '../../contract/tool.ts';

const OUTPUT_BYTES = 200_000;
const COMMAND_MS = 10 * 60_000;

export interface EditorToolsOptions {
  sessionId: string;
  cwd: string;
  client: AgentContext;
  capabilities: ClientCapabilities;
  notify(update: SessionUpdate): Promise<void>;
}

/** The editor's capabilities as tools, under the names that agents use for tools of their client. */
export function createEditorTools(options: EditorToolsOptions): Tool[] {
  const { fs, terminal } = options.capabilities;
  const canRead = fs?.readTextFile === true;
  const canWrite = fs?.writeTextFile === true;
  return [
    ...(canRead ? [readTool(options)] : []),
    ...(canWrite ? [writeTool(options)] : []),
    ...(canRead && canWrite ? [editTool(options)] : []),
    ...(terminal === true ? [bashTool(options)] : []),
    planTool(options),
  ];
}

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const WRITES = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false };

function editorTool<S extends z.ZodType>(
  name: string,
  description: string,
  annotations: typeof READS,
  input: S,
  execute: (args: z.output<S>, call: ToolCall) => Promise<string>,
): Tool {
  const inputSchema = z.toJSONSchema(input);
  return {
    descriptor: {
      name,
      displayName: name,
      title: name,
      description,
      origin: 'upstream',
      inputSchema,
      annotations,
    },
    async execute(args, call): Promise<ToolResult> {
      if (call.context.signal.aborted) throw new ZooError('tool_error', 'The call was cancelled.');
      return { content: [{ type: 'text', text: await execute(parse(input, args), call) }] };
    },
  };
}

const filePath = z.string().min(1).describe('Absolute, or relative to the open folder.');
const absolute = (path: string, cwd: string): string => (isAbsolute(path) ? path : resolve(cwd, path));

function readTool({ client, sessionId, cwd }: EditorToolsOptions): Tool {
  const input = z.object({
    file_path: filePath,
    offset: z.int().min(1).optional().describe('The first line.'),
    limit: z.int().min(1).optional().describe('The number of lines.'),
  });
  return editorTool('Read', 'Reads a text file in the editor.', READS, input, async (args) => {
    const path = absolute(args.file_path, cwd);
    const { content } = await client.request('fs/read_text_file', {
      sessionId,
      path,
      ...(args.offset === undefined ? {} : { line: args.offset }),
      ...(args.limit === undefined ? {} : { limit: args.limit }),
    });
    return content;
  });
}

function writeTool({ client, sessionId, cwd }: EditorToolsOptions): Tool {
  const input = z.object({ file_path: filePath, content: z.string() });
  return editorTool('Write', 'Writes a text file in the editor.', WRITES, input, async (args) => {
    const path = absolute(args.file_path, cwd);
    await client.request('fs/write_text_file', { sessionId, path, content: args.content });
    return `Wrote ${path}.`;
  });
}

function editTool({ client, sessionId, cwd }: EditorToolsOptions): Tool {
  const input = z.object({
    file_path: filePath,
    old_string: z
      .string()
      .min(1)
      .describe('The text to replace; must occur exactly once unless replace_all is set.'),
    new_string: z.string(),
    replace_all: z.boolean().optional(),
  });
  return editorTool('Edit', 'Replaces text in a file of the editor.', WRITES, input, async (args) => {
    const path = absolute(args.file_path, cwd);
    const { content } = await client.request('fs/read_text_file', { sessionId, path });
    const pieces = content.split(args.old_string);
    const found = pieces.length - 1;
    if (found === 0) throw new ZooError('tool_error', `The text to replace is not in ${path}.`);
    if (found > 1 && args.replace_all !== true) {
      throw new ZooError(
        'tool_error',
        `The text to replace occurs ${found} times in ${path}. Add more of the surrounding text, or set replace_all.`,
      );
    }
    await client.request('fs/write_text_file', { sessionId, path, content: pieces.join(args.new_string) });
    return `Replaced ${found === 1 ? 'one occurrence' : `${found} occurrences`} in ${path}.`;
  });
}

function bashTool({ client, sessionId, cwd, notify }: EditorToolsOptions): Tool {
  const input = z.object({
    command: z.string().min(1),
    timeout: z.int().min(1).max(COMMAND_MS).optional().describe('In milliseconds.'),
    description: z.string().optional(),
  });
  const run = async (args: z.output<typeof input>, { context }: ToolCall): Promise<string> => {
    const launch = { sessionId, command: args.command, cwd, outputByteLimit: OUTPUT_BYTES };
    const terminal = await client.createTerminal(launch);
    const kill = (): void => void terminal.kill().catch(() => undefined);
    const timer = setTimeout(kill, args.timeout ?? COMMAND_MS);
    if (context.signal.aborted) kill();
    else context.signal.addEventListener('abort', kill, { once: true });
    try {
      if (context.toolCall !== undefined) {
        const content = [{ type: 'terminal' as const, terminalId: terminal.id }];
        await notify({ sessionUpdate: 'tool_call_update', toolCallId: context.toolCall, content });
      }
      const { exitCode, signal } = await terminal.waitForExit();
      const { output, truncated } = await terminal.currentOutput();
      const end = signal ? `ended by ${signal}` : `exit code ${exitCode ?? 'unknown'}`;
      return `${truncated ? '…' : ''}${output}\n(${end})`;
    } finally {
      clearTimeout(timer);
      context.signal.removeEventListener('abort', kill);
      await terminal.release().catch(() => undefined);
    }
  };
  return editorTool('Bash', "Runs a command in the editor's terminal.", WRITES, input, run);
}

function planTool({ notify }: EditorToolsOptions): Tool {
  const input = z.object({
    todos: z.array(
      z.object({
        content: z.string(),
        status: z.enum(['pending', 'in_progress', 'completed']),
        priority: z.enum(['high', 'medium', 'low']).optional(),
      }),
    ),
  });
  return editorTool('TodoWrite', 'Shows your plan in the editor.', READS, input, async ({ todos }) => {
    const entries = todos.map(({ priority = 'medium', ...rest }): PlanEntry => ({ ...rest, priority }));
    await notify({ sessionUpdate: 'plan', entries });
    return 'The plan is shown.';
  });
}
