import type { Agent } from '../../contract/agent.ts';
import type { Input, Output } from '../../contract/api.ts';
import type { CallContext } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import type { StandInContext } from '../../contract/stand-in.ts';
import { type CompiledPart, withIntroduction, withMessages } from '../../registry/compile.ts';
import { applyPatch, definitionOf } from '../../registry/definition.ts';
import { type AgentDirectory, isComputed, placeOf } from './agent-directory.ts';
import type { ResolveAgent } from './resolve-agent.ts';

interface Parts {
  directory: AgentDirectory;
  resolve: ResolveAgent;
}

/** Resolves a draft. It stands in for the saved agent in this call alone; nothing is stored. */
export async function previewAgent(
  { id, body: { changes = {}, arguments: given = {} } }: Input<'previewAgent'>,
  context: CallContext,
  { directory, resolve }: Parts,
): Promise<Output<'previewAgent'>> {
  const { agent } = await directory.find(id, context);
  if (isComputed(agent) && Object.keys(changes).length > 0) {
    throw new ZooError(
      'read_only',
      `Agent '${id}' is computed by ${placeOf(agent)}. Edit that file to change it.`,
    );
  }
  const draft: Agent = { ...agent, ...applyPatch(definitionOf(agent), changes) };
  let compiled: readonly CompiledPart[] = [];
  const inDraft: CallContext & StandInContext = { ...context, standIn: draft };
  const resolved = await resolve(id, withPlaceholders(draft, given), inDraft, (parts) => {
    compiled = parts;
  });
  return {
    prompt: withIntroduction(draft, withMessages(resolved.system, resolved.messages)),
    parts: resolved.receipt.parts.map((part, index) => ({ ...part, text: compiled[index]?.text ?? '' })),
    resolved,
  };
}

/** While somebody is writing, a required argument without a value shows where it will go. */
function withPlaceholders(agent: Agent, given: Record<string, unknown>): Record<string, unknown> {
  const missing = agent.arguments.filter(({ name, required }) => required && given[name] === undefined);
  return { ...Object.fromEntries(missing.map(({ name }) => [name, `{{${name}}}`])), ...given };
}
