import { ZooError } from '../../../../contract/errors.ts';
import type { ToolDescriptor } from '../../../../contract/tool.ts';
import { Failure } from '../../output/failure.ts';
import { errorView, print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { firstLine } from '../../render/layout.ts';
import { type Cell, renderTable } from '../../render/table.ts';
import { renderLogs } from '../../render/resolved.ts';
import { renderToolAnswer } from '../../render/tool-answer.ts';
import { sayTraceback } from '../../output/traceback.ts';
import { withClient } from '../../hub-access/with-client.ts';
import { askTool, type ToolCallOptions } from '../tools/tools-call.ts';

/** Script tools, including those of a workspace that is not trusted yet. */
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
    renderTable(
      [
        ...tools.map((tool): Cell[] => [
          { text: tool.displayName, style: 'bold' },
          firstLine(tool.description, 200),
          renderParameters(tool),
        ]),
        ...waiting.map(({ name }): Cell[] => [
          { text: name, style: 'warning' },
          'not trusted, so it does not run: see `zoo trust`',
        ]),
      ],
      call,
      {
        columns: [
          { max: 34, min: 12 },
          { max: 64, min: 16 },
          { min: 12, max: Infinity },
        ],
      },
    ).join('\n'),
  );
  if (!call.json && tools.length + waiting.length === 0) {
    say(call, 'No script tools. `zoo tool init NAME` creates one.');
  }
}

function renderParameters({ inputSchema: { properties, required } }: ToolDescriptor): string {
  const names = Object.keys(typeof properties === 'object' && properties !== null ? properties : {});
  const needed = Array.isArray(required) ? required : [];
  return `(${names.map((name) => (needed.includes(name) ? name : `${name}?`)).join(', ')})`;
}

/** Calls a tool as a model would; if its script fails, shows the stack trace. */
export async function testTool(call: Invocation, name: string, options: ToolCallOptions): Promise<void> {
  try {
    const tested = await askTool(call, name, options, (client, input) => client.call('testTool', input));
    const { value, logs, tookMs } = tested;
    if (!call.json && logs.length > 0) say(call, renderLogs(logs, errorView(call)));
    print(call, tested, () => renderToolAnswer(value));
    if (!call.json) say(call, `Done in ${Math.round(tookMs)}ms`);
  } catch (error) {
    if (!(error instanceof ZooError)) throw error;
    if (!call.json) sayTraceback(call, error);
    if (error.code !== 'tool_not_found') throw error;
    const hints = [
      '`zoo tool list` lists script tools; those of an untrusted workspace cannot be called',
      `a new one needs a section in zoo.toml: [tools.script.${name}], with path = "FILE"`,
    ];
    throw new Failure(error.message, { code: error.code, hints });
  }
}
