import { AgentPatch } from '../../../contract/agent.ts';
import type { Agent } from '../../../contract/agent.ts';
import type { ZooClient } from '../../../contract/api.ts';
import { parse } from '../../../contract/parsing/parse.ts';
import { nearest } from '../../../contract/nearest.ts';
import { wrongUsage } from '../output/failure.ts';
import { readText } from './read-text.ts';
import { warn } from '../invocation.ts';
import type { Invocation } from '../invocation.ts';
import { splitPair } from './name-value-pairs.ts';

const texts = new Set([
  'name',
  'description',
  'version',
  'mode',
  'systemPrompt',
  'model',
  'toolPermission',
  'appearanceSeed',
]);
const lists = new Set(['tools', 'sources', 'contextRefs']);

export interface EditOptions {
  set: string[];
  systemPromptFile?: string;
  skill: string[];
}

export async function editByOptions(
  call: Invocation,
  client: ZooClient,
  { id }: Agent,
  options: EditOptions,
): Promise<Agent> {
  const fields = new Map(options.set.map((text) => readField(...splitPair(text, '--set'))));
  if (options.systemPromptFile !== undefined) {
    if (fields.has('systemPrompt'))
      throw wrongUsage('use --set systemPrompt or --system-prompt-file, not both');
    fields.set('systemPrompt', (await readText(call, options.systemPromptFile)).trimEnd());
  }
  const patch = parse(AgentPatch, Object.fromEntries(fields));
  const skills = options.skill.map(readSwitch);
  if (fields.size > 0) {
    const { warnings = [] } = await client.call('patchAgent', { id, body: patch });
    for (const warning of warnings) if (!call.json) warn(call, warning);
  }
  for (const { skillId, enabled } of skills)
    await client.call('patchSkill', { id, skillId, body: { enabled } });
  return client.call('getAgent', { id });
}

function readField(name: string, text: string): [string, unknown] {
  const key = name.replaceAll(/[-_]([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  const known = Object.keys(AgentPatch.shape);
  if (known.includes(key)) return [key, readValue(key, text)];
  const meant = nearest(key, known);
  throw wrongUsage(
    `unknown field ${name}`,
    ...(meant === null ? [] : [`did you mean ${meant}?`]),
    `the fields are ${known.join(', ')}`,
  );
}

/** Texts are taken as typed, lists may be separated by commas, everything else is JSON. */
function readValue(key: string, text: string): unknown {
  if (texts.has(key) && !/^"[^]*"$/.test(text)) return key === 'model' && text === 'null' ? null : text;
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    if (texts.has(key)) return text;
    if (lists.has(key))
      return text
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '');
    throw wrongUsage(`--set ${key} takes JSON, not '${text}'`);
  }
}

function readSwitch(text: string): { skillId: string; enabled: boolean } {
  const [skillId, state] = splitPair(text, '--skill');
  if (state !== 'on' && state !== 'off') throw wrongUsage(`--skill takes ID=on or ID=off, not '${text}'`);
  return { skillId, enabled: state === 'on' };
}
