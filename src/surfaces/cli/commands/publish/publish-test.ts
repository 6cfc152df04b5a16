import type { PublishedTool } from '../../../../contract/agent.ts';
import { ZooError } from '../../../../contract/errors.ts';
import { toJsonSchema } from '../../../../contract/parameters.ts';
import { fillTemplate } from '../../../../contract/published/prompt-template.ts';
import { nearest } from '../../../../contract/nearest.ts';
import { messageOf } from '../../../../platform/text/error-message.ts';
import { validateArguments } from '../../../../tools/validate-arguments.ts';
import { withClient } from '../../hub-access/with-client.ts';
import { readPairs } from '../../input/name-value-pairs.ts';
import { type Invocation, print, say } from '../../invocation.ts';
import { Failure } from '../../output/failure.ts';
import { followRun } from '../runs/follow-run.ts';

export interface PublishTestOptions {
  param?: string[];
  dry?: true;
}

/** Shows the filled prompt, then runs it as a call would be run. */
export async function testPublishedTool(
  call: Invocation,
  agentId: string,
  toolName: string,
  options: PublishTestOptions,
): Promise<void> {
  await withClient(call, async (client) => {
    const { publishedTools } = await client.call('getAgent', { id: agentId });
    const tool = findTool(agentId, toolName, publishedTools);
    const given = valuesOf(tool, readPairs(options.param ?? [], '--param'));
    warnOfUnknown(call, tool, given);
    const inputSchema = toJsonSchema(tool.parameters);
    const check = () => validateArguments({ name: tool.name, inputSchema }, given);
    if (options.dry) {
      const prompt = fillTemplate(tool.prompt, given, tool, 'reference');
      print(call, { prompt }, () => `${prompt}\n`);
      await check().catch((error: unknown) => say(call, `A call would be refused: ${messageOf(error)}`));
      return;
    }
    const values = await check().catch(refuseParameters);
    const prompt = fillTemplate(tool.prompt, values, tool);
    if (!call.json) say(call, `${prompt}\n`);
    const run = await client.call('startRun', {
      body: {
        agent: agentId,
        prompt,
        ...(tool.output ? { outputSchema: toJsonSchema(tool.output) } : {}),
      },
    });
    await followRun(call, client, run.id, { answerOnly: tool.output !== undefined });
  });
}

function findTool(agentId: string, name: string, tools: readonly PublishedTool[]): PublishedTool {
  const found = tools.find((tool) => tool.name === name || tool.id === name);
  if (found) return found;
  const names = tools.map((tool) => tool.name);
  const near = nearest(name, names);
  throw new Failure(`agent '${agentId}' publishes no tool '${name}'`, {
    hints: [near ? `did you mean ${near}?` : `it publishes: ${names.join(', ') || 'nothing'}`],
  });
}

/** Most schemas allow other properties, so a misspelt optional parameter would go unnoticed. */
function warnOfUnknown(call: Invocation, { name, parameters }: PublishedTool, given: object): void {
  const known = Object.keys(parameters.properties ?? {});
  for (const key of Object.keys(given).filter((each) => !known.includes(each))) {
    const meant = nearest(key, known);
    const hint =
      meant === null ? `it takes ${known.join(', ') || 'no parameters'}` : `did you mean '${meant}'?`;
    say(call, `warning: '${name}' has no parameter '${key}'; ${hint}`);
  }
}

/** Names the option that is missing: parameters are not `--arg` here. */
function refuseParameters(error: unknown): never {
  const missing = error instanceof ZooError ? error.details?.['missing'] : undefined;
  if (typeof missing !== 'string') throw error;
  throw new Failure(messageOf(error), {
    code: 'invalid_arguments',
    hints: [`add \`--param ${missing}=…\``],
  });
}

/** Strings stay as they are; everything else is parsed as JSON. Invalid JSON is left to the validation. */
function valuesOf(tool: PublishedTool, pairs: Record<string, string>): Record<string, unknown> {
  const { properties = {} } = tool.parameters;
  return Object.fromEntries(
    Object.entries(pairs).map(([name, text]) => {
      const type = Object.hasOwn(properties, name) ? properties[name]?.type : 'string';
      return [name, type === 'string' ? text : parseJson(text)];
    }),
  );
}

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}
