import type { ZooClient } from '../../../../contract/api.ts';
import type { RunEvent } from '../../../../contract/run.ts';
import { withClient } from '../../hub-access/with-client.ts';
import { readPairs } from '../../input/name-value-pairs.ts';
import { readText } from '../../input/read-text.ts';
import { errorView, type Invocation, printLine, say } from '../../invocation.ts';
import { Failure, wrongUsage } from '../../output/failure.ts';
import { firstLine } from '../../render/layout.ts';

export interface RunOptions {
  arg?: string[];
  model?: string[];
  outputSchema?: string;
}

/** Streams the answer to standard output; everything about it goes to standard error. Ctrl-C cancels the run. */
export async function runAgent(
  call: Invocation,
  agent: string,
  words: readonly string[],
  options: RunOptions,
): Promise<void> {
  const prompt =
    words.length === 0 || (words.length === 1 && words[0] === '-')
      ? await call.terminal.readInput()
      : words.join(' ');
  if (prompt.trim() === '') throw wrongUsage('the prompt is empty', `zoo run ${agent} "what to do"`);
  const schema = options.outputSchema ? await readSchema(call, options.outputSchema) : undefined;
  await withClient(call, async (client) => {
    const run = await client.call('startRun', {
      body: {
        agent,
        prompt,
        arguments: readPairs(options.arg ?? [], '--arg'),
        ...(options.model ? { model: options.model } : {}),
        ...(schema ? { outputSchema: schema } : {}),
      },
    });
    await follow(call, client, run.id);
  });
}

async function readSchema(call: Invocation, file: string): Promise<Record<string, unknown>> {
  try {
    const schema: unknown = JSON.parse(await readText(call, file));
    if (typeof schema === 'object' && schema !== null && !Array.isArray(schema)) return { ...schema };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new Failure(`${file} is not a JSON Schema: it must be one JSON object`);
}

async function follow(call: Invocation, client: ZooClient, id: string): Promise<void> {
  const cancel = (): void => void client.call('cancelRun', { id }).catch(() => undefined);
  process.once('SIGINT', cancel);
  let failure: string | null = null;
  let printed = '';
  try {
    for await (const { event } of client.stream('followRun', { id })) {
      if (call.json) printLine(call, event, () => '');
      else printed = show(call, event, printed);
      if (event.type === 'error') failure = event.message;
      if (event.type === 'done' && event.state !== 'completed') failure ??= `the run was ${event.state}`;
    }
  } finally {
    process.off('SIGINT', cancel);
  }
  if (!call.json && printed !== '' && !printed.endsWith('\n')) call.terminal.out.write('\n');
  if (failure !== null) throw new Failure(failure, { hints: [`zoo runs show ${id}`] });
}

/** Returns the last text that was printed, to know where a line ends. */
function show(call: Invocation, event: RunEvent, printed: string): string {
  const { paint } = errorView(call);
  const note = (text: string): string => {
    if (printed !== '' && !printed.endsWith('\n')) call.terminal.out.write('\n');
    say(call, paint('dim', text));
    return '\n';
  };
  switch (event.type) {
    case 'text':
      call.terminal.out.write(event.text);
      return event.text;
    case 'run-started':
      for (const warning of event.warnings) note(`Warning: ${warning}`);
      if (event.missingTools.length > 0) note(`Not available in a run: ${event.missingTools.join(', ')}.`);
      return printed;
    case 'tool-call':
      return note(`→ ${event.name} ${firstLine(JSON.stringify(event.arguments) ?? '', 100)}`);
    case 'tool-result':
      return event.isError ? note(`  ${event.name} failed`) : printed;
    case 'retry':
      return note(`${event.message} Trying again in ${Math.ceil(event.afterMs / 1000)} s.`);
    case 'warning':
    case 'context-shortened':
      return note(event.message);
    case 'done': {
      const { inputTokens, outputTokens, usd } = event.usage;
      const price = usd === null ? '' : `, $${usd.toFixed(4)}`;
      return note(`${event.steps} steps, ${inputTokens + outputTokens} tokens${price}`);
    }
    case 'approval-answered':
    case 'approval-requested':
    case 'error':
    case 'message-joined':
    case 'reasoning':
    case 'step-started':
    case 'tool-progress':
    case 'usage':
    default:
      return printed;
  }
}
