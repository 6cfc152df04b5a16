import { ZooError } from '../../../../contract/errors.ts';
import type { ToolDescriptor } from '../../../../contract/tool.ts';
import { Failure } from '../../output/failure.ts';
import { print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { alignColumns, firstLine, printable } from '../../render/layout.ts';
import { renderLogs } from '../../render/resolved.ts';
import { renderToolAnswer } from '../../render/tool-answer.ts';
import { sayTraceback } from '../../output/traceback.ts';
import { withClient } from '../../hub-access/with-client.ts';
import { askTool, type ToolCallOptions } from '../tools/tools-call.ts';

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
        ...waiting.map(({ name }) => [
          `  ${printable(name)}`,
          'not trusted yet, so not run: see `zoo trust`',
          '',
        ]),
      ],
      [34, 64],
    ).join('\n'),
  );
  if (!call.json && tools.length + waiting.length === 0) {
    say(call, 'There are no script tools here. `zoo tool init NAME` makes one.');
  }
}

function renderParameters({ inputSchema: { properties, required } }: ToolDescriptor): string {
  const names = Object.keys(typeof properties === 'object' && properties !== null ? properties : {});
  const needed = Array.isArray(required) ? required : [];
  return `(${names.map((name) => (needed.includes(name) ? name : `${name}?`)).join(', ')})`;
}

/** Calls a tool as a model would; when its script fails, shows the way to where. */
export async function testTool(call: Invocation, name: string, options: ToolCallOptions): Promise<void> {
  try {
    const tested = await askTool(call, name, options, (client, input) => client.call('testTool', input));
    const { value, logs, tookMs } = tested;
    if (!call.json && logs.length > 0) say(call, renderLogs(logs));
    print(call, tested, () => renderToolAnswer(value));
    if (!call.json) say(call, `Done in ${Math.round(tookMs)}ms`);
  } catch (error) {
    if (!(error instanceof ZooError)) throw error;
    if (!call.json) sayTraceback(call, error);
    if (error.code !== 'tool_not_found') throw error;
    const hints = [
      '`zoo tool list` shows the tools of scripts; those of a workspace that is not trusted are not there',
    ];
    throw new Failure(error.message, { code: error.code, hints });
  }
}
