import type { ToolDescriptor } from '../../../contract/tool.ts';
import { ZooError } from '../../../contract/errors.ts';
import { Failure, wrongUsage } from '../failure.ts';
import { print, say } from '../invocation.ts';
import type { Invocation } from '../invocation.ts';
import { readPairs } from '../pairs.ts';
import { alignColumns, firstLine, indent } from '../render/layout.ts';
import { withClient } from '../with-client.ts';

/** The tools of scripts, and those that would be if their workspace were trusted. */
export async function listScriptTools(call: Invocation): Promise<void> {
  const { tools, waiting } = await withClient(call, async (client) => {
    const [listed, trust] = await Promise.all([client.call('listTools', {}), client.call('getTrust', {})]);
    const open = trust.state === 'untrusted' || trust.state === 'changed';
    return {
      tools: listed.tools.filter(({ origin }) => origin === 'script'),
      waiting: open ? trust.runnables.filter(({ kind }) => kind === 'script-tool') : [],
    };
  });
  print(call, { tools, untrusted: waiting.map(({ name }) => name) }, () =>
    alignColumns(
      [
        ...tools.map((tool) => [
          `  ${tool.displayName}`,
          firstLine(tool.description, 64),
          renderParameters(tool),
        ]),
        ...waiting.map(({ name }) => [`  ${name}`, 'not trusted yet, so not run: see `zoo trust`', '']),
      ],
      [34, 64],
    ).join('\n'),
  );
  if (!call.json && tools.length + waiting.length === 0) {
    say(call, 'There are no script tools here. `zoo tool init NAME` makes one.');
  }
}

function renderParameters({ inputSchema }: ToolDescriptor): string {
  const { required } = inputSchema;
  const names = Object.keys(propertiesOf(inputSchema)).map((name) =>
    Array.isArray(required) && required.includes(name) ? name : `${name}?`,
  );
  return `(${names.join(', ')})`;
}

export interface ToolTestOptions {
  arg: string[];
  args?: string;
}

/** Calls a tool of any kind, as a model would. */
export async function testTool(call: Invocation, name: string, options: ToolTestOptions): Promise<void> {
  const given = readPairs(options.arg, '--arg');
  const whole = options.args === undefined ? {} : readObject(options.args);
  const startedAt = performance.now();
  try {
    const result = await withClient(call, async (client) => {
      const { tools } = await client.call('listTools', {});
      const tool = tools.find((one) => one.name === name || one.displayName === name);
      const body = { ...whole, ...typed(given, tool) };
      return client.call('callTool', { name: tool?.name ?? name, body });
    });
    const took = Math.round(performance.now() - startedAt);
    print(
      call,
      result,
      () => `\nTool: ${name}\n\nResult:\n${indent(renderResult(result))}\n\nDone in ${took}ms\n`,
    );
  } catch (error) {
    if (!call.json && error instanceof ZooError && Array.isArray(error.details?.traceback)) {
      const frames = error.details.traceback.map((frame) => `  ${String(frame)}`);
      if (frames.length > 0) say(call, ['Traceback:', ...frames].join('\n'));
    }
    if (error instanceof ZooError && error.code === 'tool_not_found') throw explain(error);
    throw error;
  }
}

function explain({ message }: ZooError): Failure {
  const hints = [
    '`zoo tool list` shows the script tools; one whose workspace is not trusted is not there: `zoo trust`',
  ];
  return new Failure(message, { code: 'tool_not_found', hints });
}

/** Text for what takes text; for everything else the text is JSON. */
function typed(
  given: Readonly<Record<string, string>>,
  tool: ToolDescriptor | undefined,
): Record<string, unknown> {
  const properties = propertiesOf(tool?.inputSchema ?? {});
  return Object.fromEntries(
    Object.entries(given).map(([name, text]) => {
      const type: unknown = Reflect.get(properties[name] ?? {}, 'type');
      const takesText =
        type === undefined || type === 'string' || (Array.isArray(type) && type.includes('string'));
      return [name, takesText ? text : parseOr(text)];
    }),
  );
}

function parseOr(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}

function readObject(text: string): object {
  const value = parseOr(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw wrongUsage('--args takes a JSON object');
}

function propertiesOf({ properties }: Record<string, unknown>): Record<string, object> {
  if (typeof properties !== 'object' || properties === null) return {};
  const entries: [string, unknown][] = Object.entries(properties);
  return Object.fromEntries(
    entries.map(([name, schema]) => [name, typeof schema === 'object' && schema !== null ? schema : {}]),
  );
}

/** Content blocks of text are shown as text. */
function renderResult(result: unknown): string {
  const blocks: unknown[] = Array.isArray(result) ? result : [];
  const texts = blocks.flatMap((block) => {
    const text: unknown =
      typeof block === 'object' && block !== null ? Reflect.get(block, 'text') : undefined;
    return typeof text === 'string' ? [text] : [];
  });
  if (blocks.length > 0 && texts.length === blocks.length) return texts.join('\n');
  return JSON.stringify(result, null, 2) ?? 'nothing';
}
