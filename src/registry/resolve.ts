import type { Agent } from '../contract/agent.ts';
import type { BrainEntry } from '../contract/brain.ts';
import type { PromptMessage, ReceiptPart, ResolvedAgent } from '../contract/resolved.ts';
import { nearest } from '../contract/nearest.ts';
import { checkArguments } from './check-arguments.ts';
import { type CompiledPart, type CompiledPrompt, compile } from './compile.ts';
import { missingRequirements } from './required-skills.ts';
import type { ContextAccess } from '../contract/prompt-context.ts';
import { type GatheredContext, gatherContext } from './gather-context.ts';

/** The part of a scope that a prompt needs. */
export interface GrantedTools {
  tools: string[];
  clientTools: string[];
  warnings: string[];
}

/** Functions of other modules, provided by the hub. */
export interface ResolveWith {
  /** The knowledge base; null if there is none. */
  knowledge: ContextAccess | null;
  expandScope(agent: Agent): GrantedTools;
  memories(agent: Agent): Promise<BrainEntry[]>;
  countTokens(text: string): number;
  now(): number;
  /** Counts the parts of the prompt. */
  onCompiled?: ((parts: readonly CompiledPart[]) => void) | undefined;
}

/** Agent + arguments → system prompt, scope, messages, and the receipt of what went in. */
export async function resolve(
  agent: Agent,
  given: Readonly<Record<string, unknown>>,
  { knowledge, expandScope, memories, countTokens, now, onCompiled }: ResolveWith,
): Promise<ResolvedAgent> {
  const startedAt = now();
  const { values, warnings } = checkArguments(agent, given);
  const fill = (text: string) => fillPlaceholders(text, values);

  const words = new Map([...values].map(([name, value]) => [name, asWords(value)]));
  const fillQuery = (text: string) => fillPlaceholders(text, words);
  const gathered = await gather(agent, fillQuery, knowledge, countTokens);
  const { documents } = gathered;
  warnings.push(...gathered.warnings);
  const remembered = await memories(agent);
  const compilePrompt = (): PricedPrompt =>
    price(
      compile({
        persona: fill(agent.systemPrompt),
        skills: agent.skills
          .filter((skill) => skill.enabled)
          .map((skill) => ({ ...skill, description: fill(skill.description) })),
        documents,
        memories: remembered,
      }),
      countTokens,
    );
  const varies = values.size > 0 || documents.length > 0;
  const prompt = varies ? compilePrompt() : keptPrompt(agent, remembered, compilePrompt);
  onCompiled?.(prompt.compiled);

  const messages: PromptMessage[] = [];
  const granted = expandScope(agent);
  warnings.push(...granted.warnings);
  warnings.push(...undeclaredPlaceholders(agent));
  warnings.push(...missingRequirements(agent.skills));
  if (agent.systemPrompt.trim() === '') {
    warnings.push(`Agent '${agent.id}' has no persona: its system prompt is empty.`);
  }
  return {
    system: prompt.system,
    tools: granted.tools,
    clientTools: granted.clientTools,
    messages,
    receipt: {
      agentId: agent.id,
      revision: agent.revision,
      parts: prompt.parts,
      totalTokens: prompt.totalTokens,
      tokenizer: 'o200k_base',
      searches: gathered.searches,
      fetches: gathered.fetches,
      warnings,
      durationMs: Math.round((now() - startedAt) * 1000) / 1000,
    },
  };
}

async function gather(
  agent: Agent,
  fillQuery: (text: string) => string,
  knowledge: ContextAccess | null,
  countTokens: ResolveWith['countTokens'],
): Promise<GatheredContext> {
  const nothing = { documents: [], searches: 0, fetches: 0, warnings: [] };
  if (agent.contextRefs.length + agent.context.length === 0) return nothing;
  if (knowledge) return gatherContext(agent, fillQuery, knowledge, countTokens);
  const why = `The documents of agent '${agent.id}' were skipped: this hub has no knowledge base.`;
  return { ...nothing, warnings: [why] };
}

interface PricedPrompt {
  system: string;
  compiled: readonly CompiledPart[];
  parts: ReceiptPart[];
  totalTokens: number;
}

function price({ system, parts }: CompiledPrompt, countTokens: ResolveWith['countTokens']): PricedPrompt {
  return {
    system,
    compiled: parts,
    parts: parts.map(({ text, ...part }) => ({ ...part, tokens: countTokens(text) })),
    totalTokens: countTokens(system),
  };
}

const kept = new WeakMap<Agent, { memories: readonly BrainEntry[]; prompt: PricedPrompt }>();

/**
 * Without arguments and documents, a prompt depends only on the agent and its memory, which are immutable objects.
 */
function keptPrompt(agent: Agent, memories: readonly BrainEntry[], make: () => PricedPrompt): PricedPrompt {
  const known = kept.get(agent);
  if (known?.memories === memories) return known.prompt;
  const prompt = make();
  kept.set(agent, { memories, prompt });
  return prompt;
}

/** A caller's value is search text, never search syntax. */
const asWords = (value: string): string =>
  value
    .replace(/["“”„«»]/g, ' ')
    .replace(/(?<=^|\s)(?:[+-]+(?=\S)|(?:AND|OR|NOT|&&|\|\|)(?=\s|$))/g, (sign) =>
      /^[A-Z]/.test(sign) ? sign.toLowerCase() : '',
    );

const placeholder = /\{\{\s*([A-Za-z_][A-Za-z0-9_-]*)\s*\}\}/g;

/** One pass: a value is never expanded again, and `{{…}}` that is not a declared argument stays as it is. */
function fillPlaceholders(text: string, values: ReadonlyMap<string, string>): string {
  if (values.size === 0) return text;
  return text.replace(placeholder, (whole, name: string) => values.get(name) ?? whole);
}

/** A warning for each `{{name}}` that no argument fills in. */
export function undeclaredPlaceholders(
  agent: Pick<Agent, 'systemPrompt' | 'skills' | 'arguments'>,
): string[] {
  const declared = new Set(agent.arguments.map(({ name }) => name));
  const texts = [agent.systemPrompt, ...agent.skills.map(({ description }) => description)];
  const names = texts.flatMap((text) => [...text.matchAll(placeholder)].map(([, name = '']) => name));
  return [...new Set(names)]
    .filter((name) => !declared.has(name))
    .map((name) => {
      const near = nearest(name, declared);
      const hint = near === null ? 'Declare it in `arguments` to fill it in.' : `Did you mean {{${near}}}?`;
      return `{{${name}}} is not a declared argument and stays as written. ${hint}`;
    });
}
