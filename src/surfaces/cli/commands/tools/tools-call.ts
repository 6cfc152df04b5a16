import { randomUUID } from 'node:crypto';
import type { ZooClient } from '../../../../contract/api.ts';
import type { ToolDescriptor } from '../../../../contract/tool.ts';
import { wrongUsage } from '../../output/failure.ts';
import { print } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { splitPair } from '../../input/name-value-pairs.ts';
import { renderToolAnswer } from '../../render/tool-answer.ts';
import { withClient } from '../../hub-access/with-client.ts';
import { answerElicitations } from './answer-elicitations.ts';
import { pickTool } from './tools-list.ts';

export interface ToolCallOptions {
  agent?: string;
  arg: string[];
  jsonArgs?: string;
}

export async function callTool(call: Invocation, name: string, options: ToolCallOptions): Promise<void> {
  const value = await askTool(call, name, options, (client, input) => callAndAnswer(call, client, input));
  print(call, value, () => renderToolAnswer(value));
}

/** At a terminal, the person answers the questions of the tool. */
async function callAndAnswer(call: Invocation, client: ZooClient, input: ToolInput): Promise<unknown> {
  if (!call.terminal.asker) return client.call('callTool', input);
  const askAs = randomUUID();
  const answering = answerElicitations(call, client, askAs);
  try {
    return await client.call('callTool', { ...input, askAs });
  } finally {
    await answering.stop();
  }
}

interface ToolInput {
  name: string;
  agent?: string;
  body: Record<string, unknown>;
}

/** Calls with the arguments from the options. */
export async function askTool<T>(
  call: Invocation,
  name: string,
  options: ToolCallOptions,
  ask: (client: ZooClient, input: ToolInput) => Promise<T>,
): Promise<T> {
  const { agent, arg, jsonArgs } = options;
  if (arg.length > 0 && jsonArgs !== undefined) {
    throw wrongUsage('--arg and --json-args both give the arguments: use one of them');
  }
  const given = jsonArgs === undefined ? null : parseAll(await textOf(call, jsonArgs));
  const as = agent === undefined ? {} : { agent };
  return withClient(call, async (client) => {
    const needsSchema = given === null && arg.length > 0;
    const tool = needsSchema ? pickTool((await client.call('listTools', as)).tools, name) : undefined;
    return ask(client, { name, ...as, body: given ?? parsePairs(arg, tool) });
  });
}

function textOf({ terminal }: Invocation, jsonArgs: string): string | Promise<string> {
  return jsonArgs === '-' ? terminal.readInput() : jsonArgs;
}

function parseAll(text: string): Record<string, unknown> {
  const value = parseJson(text.trim() === '' ? '{}' : text);
  if (isTable(value)) return value;
  throw wrongUsage('--json-args takes a JSON object', `--json-args '{"query": "deploy"}'`);
}

function parsePairs(pairs: readonly string[], tool: ToolDescriptor | undefined): Record<string, unknown> {
  const properties = isTable(tool?.inputSchema.properties) ? tool.inputSchema.properties : {};
  const given = new Map<string, unknown>();
  for (const pair of pairs) {
    const [name, text] = splitPair(pair, '--arg');
    if (given.has(name)) throw wrongUsage(`--arg ${name} was given twice`);
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    given.set(name, takesText(schema) ? text : (parseJson(text) ?? text));
  }
  return Object.fromEntries(given);
}

/** Parses values as JSON unless the schema says text; the hub reports errors. */
function takesText(schema: unknown): boolean {
  if (!isTable(schema) || schema.type === undefined) return true;
  return Array.isArray(schema.type) ? schema.type.includes('string') : schema.type === 'string';
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
