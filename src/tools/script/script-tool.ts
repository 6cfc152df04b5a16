import { ZooError } from '../../contract/errors.ts';
import type { Tool, ToolCall, ToolResult } from '../../contract/tool.ts';
import { isJsonTable, toJson } from '../../scripting/json.ts';
import type { Json, Sandbox, ScriptHost } from '../../scripting/sandbox.ts';
import { type ScriptEntry, withoutSecrets } from '../../scripting/script-entry.ts';
import { parseToolFacts } from './script-parameters.ts';
import { toolNames } from '../catalogue/tool-names.ts';

export interface ScriptToolOptions {
  /** The name in the config. */
  name: string;
  entry: ScriptEntry;
  sandbox: Pick<Sandbox, 'describe' | 'call'>;
  /** The part of the knowledge base that the caller may see. */
  host(call: ToolCall): Promise<ScriptHost>;
}

/** A tool of `[tools.script.NAME]`. Rejects with a `ZooError` if the script is invalid. */
export async function loadScriptTool({ name, entry, sandbox, host }: ScriptToolOptions): Promise<Tool> {
  const { table, functions } = await sandbox.describe(entry.file);
  const { facts, problems } = parseToolFacts(table);
  const missing = functions.includes('execute') ? [] : ['execute must be a function'];
  if (!facts || missing.length > 0) {
    throw new ZooError('tool_error', [...problems, ...missing].join('; '));
  }
  const names = toolNames(null, name);
  return {
    descriptor: {
      ...names,
      title: facts.title ?? name,
      description: facts.description,
      origin: 'script',
      inputSchema: facts.inputSchema,
      annotations: facts.annotations,
    },
    async execute(args, call) {
      const lent = await host(call);
      try {
        const { value } = await withoutSecrets(entry, () =>
          sandbox.call(entry.file, {
            function: 'execute',
            args: [toJson(args)],
            config: entry.settings,
            host: lent,
            signal: call.context.signal,
            onLog: ({ level, message }) => call.log(level, message),
          }),
        );
        return toResult(value);
      } catch (error) {
        throw error instanceof ZooError ? toCallerError(name, error, call) : error;
      }
    },
  };
}

/** Text stays text, a table becomes structured content, and other values are wrapped as `result`. */
function toResult(value: Json): ToolResult {
  if (typeof value === 'string') return { content: [{ type: 'text', text: value }] };
  const structuredContent = isJsonTable(value) ? value : { result: value };
  return { content: [{ type: 'text', text: JSON.stringify(value, null, 2) }], structuredContent };
}

/** Details about files are for the operator only. */
function toCallerError(
  name: string,
  { code, message, details = {} }: ZooError,
  { context }: ToolCall,
): ZooError {
  const shown = context.caller.kind === 'operator' ? details : {};
  return new ZooError(code, `Tool '${name}' failed: ${message}`, { name, ...shown });
}
