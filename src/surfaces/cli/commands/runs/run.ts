import { ZooError } from '../../../../contract/errors.ts';
import { withoutFence } from '../../../../platform/text/json-fence.ts';
import { withClient } from '../../hub-access/with-client.ts';
import { readPairs } from '../../input/name-value-pairs.ts';
import { readText } from '../../input/read-text.ts';
import type { Invocation } from '../../invocation.ts';
import { Failure, wrongUsage } from '../../output/failure.ts';
import { withFiles } from './attach-files.ts';
import { followRun } from './follow-run.ts';

export interface RunOptions {
  arg?: string[];
  model?: string[];
  outputSchema?: string;
  effort?: 'low' | 'medium' | 'high';
  file?: string[];
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
        prompt: await withFiles(prompt, options.file),
        interactive: call.terminal.asker !== null && !call.json,
        arguments: readPairs(options.arg ?? [], '--arg'),
        ...(options.model ? { model: options.model } : {}),
        ...(schema ? { outputSchema: schema } : {}),
        ...(options.effort ? { effort: options.effort } : {}),
      },
    });
    const answer = await followRun(call, client, run.id, {
      answerOnly: schema !== undefined,
      // Without an end of its own, a run that `timeout` stopped would go on at the hub, and spend.
      cancelOn: ['SIGINT', 'SIGTERM'],
    });
    if (schema) await requireFit(answer, schema);
  });
}

/** Scripts that ask for JSON must not go on with anything else. */
async function requireFit(answer: string, schema: Record<string, unknown>): Promise<void> {
  const hints = ['not every model keeps to a schema: try another one with --model'];
  const { validateArguments } = await import('../../../../tools/validate-arguments.ts');
  try {
    const parsed: unknown = JSON.parse(withoutFence(answer));
    // Ajv checks any value, but reports mistakes by the names of arguments.
    await validateArguments(
      { name: 'schema', inputSchema: { type: 'object', properties: { answer: schema } } },
      { answer: parsed },
    );
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof ZooError)) throw error;
    const why = error instanceof ZooError ? error.message.replace(/^schema: /, '') : 'it is not JSON';
    throw new Failure(`the answer does not fit the schema: ${why}`, { hints });
  }
}

async function readSchema(call: Invocation, file: string): Promise<Record<string, unknown>> {
  try {
    const schema: unknown = JSON.parse(await readText(call, file));
    if (typeof schema === 'object' && schema !== null && !Array.isArray(schema)) {
      const { schemaProblem } = await import('../../../../tools/validate-arguments.ts');
      const problem = await schemaProblem({ ...schema });
      if (problem === null) return { ...schema };
      throw new Failure(`${file} is not a valid JSON Schema: ${problem}`);
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new Failure(`${file} is not a JSON Schema: it must be one JSON object`);
}
