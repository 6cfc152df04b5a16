import { basename } from 'node:path';
import type { Agent } from '../../contract/agent.ts';
import { ZooError } from '../../contract/errors.ts';
import type { ReceiptPart, ResolvedAgent } from '../../contract/resolved.ts';
import { toJsonTable } from '../../scripting/json.ts';
import type { ScriptHost, ScriptLog } from '../../scripting/sandbox.ts';
import { checkArguments } from '../check-arguments.ts';
import { compile } from '../compile.ts';
import type { ResolveWith } from '../resolve.ts';
import type { Program } from './program.ts';
import { parseAnswer } from './script-facts.ts';

export interface ResolveProgramWith extends Omit<ResolveWith, 'knowledge'> {
  host: ScriptHost;
  signal: AbortSignal;
  onLog?(line: ScriptLog): void;
}

/** Resolves a computed agent. Pinned memory follows the program's prompt, as for any other agent. */
export async function resolveProgram(
  agent: Agent,
  program: Program,
  args: Readonly<Record<string, unknown>>,
  options: ResolveProgramWith,
): Promise<ResolvedAgent> {
  const { signal, onLog, expandScope, memories, countTokens, now } = options;
  const startedAt = now();
  const { given, warnings } = checkArguments(agent, args);
  const { host, parts: documents } = recordDocuments(options.host, countTokens);
  const [run, remembered] = await Promise.all([
    program.run({ args: toJsonTable(given), host, signal, ...(onLog ? { onLog } : {}) }),
    memories(agent),
  ]);
  const { value: answer, errors, warnings: found } = parseAnswer(run.value, program.first);
  if (!answer) {
    const file = agent.origin?.path ?? agent.id;
    throw new ZooError(
      'agent_error',
      `${basename(file)}: resolve() returned an invalid result: ${errors.join('; ')}`,
      {
        file,
        line: null,
        traceback: [],
        issues: errors,
      },
    );
  }
  warnings.push(...found.map(({ message, hint }) => `resolve: ${message}. ${hint}`));
  const prompt = compile({ persona: answer.system, skills: [], documents: [], memories: remembered });
  options.onCompiled?.(prompt.parts);
  if (answer.system.trim() === '') warnings.push(`Agent '${agent.id}' resolved to an empty system prompt.`);

  const messages = (answer.messages ?? []).map(({ role, content }) => ({ role, content }));
  const declared = expandScope(agent);
  const granted = answer.tools
    ? narrowed(agent, answer.tools, declared.tools, options, warnings)
    : declared.tools;
  warnings.push(...declared.warnings);
  const parts: ReceiptPart[] = [
    ...prompt.parts.map(({ text, ...part }) => ({ ...part, tokens: countTokens(text) })),
    ...documents(),
    ...messages.map(({ role, content }, index) => ({
      kind: 'message' as const,
      id: `message-${index + 1}`,
      title: `[${role}] ${content.split('\n', 1)[0]?.slice(0, 60) ?? ''}`,
      tokens: countTokens(content),
    })),
  ];
  const ofMessages = parts
    .filter(({ kind }) => kind === 'message')
    .reduce((sum, { tokens }) => sum + tokens, 0);
  return {
    system: prompt.system,
    tools: granted,
    clientTools: declared.clientTools,
    messages,
    receipt: {
      agentId: agent.id,
      revision: agent.revision,
      parts,
      totalTokens: countTokens(prompt.system) + ofMessages,
      tokenizer: 'o200k_base',
      searches: run.hostCalls['context.search']?.count ?? 0,
      fetches: run.hostCalls['context.get']?.count ?? 0,
      warnings,
      durationMs: Math.round((now() - startedAt) * 1000) / 1000,
    },
    trace: { logs: run.logs, calls: run.hostCalls, tookMs: run.tookMs },
  };
}

/** The declared tools are known before it runs; the result of a program can only narrow them. */
function narrowed(
  agent: Agent,
  answered: readonly string[],
  declared: readonly string[],
  { expandScope }: Pick<ResolveProgramWith, 'expandScope'>,
  warnings: string[],
): string[] {
  const { tools: wanted, warnings: unknown } = expandScope({ ...agent, tools: [...answered] });
  warnings.push(...unknown);
  const beyond = wanted.filter((name) => !declared.includes(name));
  if (beyond.length > 0) {
    warnings.push(
      `resolve of agent '${agent.id}' returned undeclared tools, which were ignored: ${beyond.join(', ')}.`,
    );
  }
  return wanted.filter((name) => declared.includes(name));
}

/** A host that records the documents that a program finds or fetches, for its receipt. */
function recordDocuments(
  host: ScriptHost,
  countTokens: (text: string) => number,
): { host: ScriptHost; parts(): ReceiptPart[] } {
  const byId = new Map<string, ReceiptPart>();
  const add = (part: ReceiptPart): void => {
    const known = byId.get(part.id);
    byId.set(part.id, { ...known, ...part, tokens: Math.max(part.tokens, known?.tokens ?? 0) });
  };
  return {
    parts: () => [...byId.values()],
    host: {
      ...host,
      async search(query, signal) {
        const results = await host.search(query, signal);
        for (const { score, relevance, passages, ...hit } of results) {
          const text = passages.map(({ snippet }) => snippet).join('\n');
          add({ ...described(hit), score, relevance, tokens: countTokens(text) });
        }
        return results;
      },
      async get(id, signal) {
        const document = await host.get(id, signal);
        add({ ...described(document), tokens: document.tokens });
        return document;
      },
    },
  };
}

interface Described {
  id: string;
  title: string;
  source: string;
  path: string;
  updated_at: string | null;
}

function described({ id, title, source, path, updated_at: updatedAt }: Described) {
  return { kind: 'context' as const, id, title, source, path, ...(updatedAt === null ? {} : { updatedAt }) };
}
