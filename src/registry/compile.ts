import type { BrainEntry } from '../contract/brain.ts';
import type { Skill } from '../contract/agent.ts';
import type { PromptMessage, ReceiptPart } from '../contract/resolved.ts';
import type { ContextDocument } from '../contract/prompt-context.ts';
import { fence } from '../platform/text/fence.ts';

export interface PromptParts {
  persona: string;
  /** The enabled ones, in the agent's order. */
  skills: readonly Pick<Skill, 'id' | 'name' | 'description'>[];
  documents: readonly ContextDocument[];
  memories: readonly BrainEntry[];
}

export type CompiledPart = Omit<ReceiptPart, 'tokens'> & { text: string };

export interface CompiledPrompt {
  system: string;
  parts: CompiledPart[];
}

/**
 * The prompt, exactly as in the golden files: sections separated by a blank line, no trailing newline, nothing for
 * absent parts.
 */
export function compile({ persona, skills, documents, memories }: PromptParts): CompiledPrompt {
  const sections: string[] = [];
  const parts: CompiledPart[] = [];

  const text = persona.trim();
  if (text) {
    sections.push(text);
    parts.push({ kind: 'persona', id: 'persona', title: 'Persona', text });
  }
  if (text && skills.length > 0) sections.push('---');
  if (skills.length > 0) sections.push('## Active Skills');
  for (const skill of skills) {
    const description = skill.description.trim();
    const section = description ? `### ${skill.name}\n${description}` : `### ${skill.name}`;
    sections.push(section);
    parts.push({ kind: 'skill', id: skill.id, title: skill.name, text: section });
  }
  if (documents.length > 0) sections.push('## Context');
  for (const document of documents) {
    const section = documentSection(document);
    sections.push(section);
    const { id, title, source, path, score, relevance, updatedAt } = document;
    parts.push({
      kind: 'context',
      id,
      title,
      text: section,
      ...(source === undefined ? {} : { source }),
      ...(path === undefined ? {} : { path }),
      ...(score === undefined ? {} : { score }),
      ...(relevance === undefined ? {} : { relevance }),
      ...(updatedAt === undefined ? {} : { updatedAt }),
    });
  }
  if (memories.length > 0) sections.push('## Memory');
  for (const memory of memories) {
    const section = fence(
      'memory',
      { type: memory.type, date: memory.timestamp.slice(0, 10) },
      memory.content,
    );
    sections.push(section);
    const title = memory.content.split('\n', 1)[0]?.slice(0, 60) ?? '';
    parts.push({ kind: 'memory', id: memory.id, title, text: section, updatedAt: memory.timestamp });
  }
  return { system: sections.join('\n\n'), parts };
}

/** A document as rendered in the prompt. */
export const documentSection = ({ id, title, source, path, body }: ContextDocument): string =>
  fence('document', { id, title, source, path }, body);

/** A prompt as its parts, for callers that take them apart instead of one text. */
export interface StructuredPrompt {
  systemPrompt: string;
  skills: { id: string; name: string; description: string }[];
  /** Documents and pinned memory, each fenced as in the compiled prompt. */
  context: string[];
  memory: string[];
}

export function structurePrompt(parts: readonly CompiledPart[]): StructuredPrompt {
  const textsOf = (kind: CompiledPart['kind']) =>
    parts.filter((part) => part.kind === kind).map(({ text }) => text);
  return {
    systemPrompt: textsOf('persona').join('\n\n'),
    skills: parts
      .filter(({ kind }) => kind === 'skill')
      .map(({ id, title, text }) => ({ id, name: title, description: text.split('\n').slice(1).join('\n') })),
    context: textsOf('context'),
    memory: textsOf('memory'),
  };
}

/** Opening messages for a client that takes one text. */
export function withMessages(system: string, messages: readonly PromptMessage[]): string {
  if (messages.length === 0) return system;
  const lines = messages.map(({ role, content }) => `[${role}] ${content}`);
  return [system, '## Opening Messages', ...lines].filter((section) => section !== '').join('\n\n');
}

/** The line that `agent_zoo_inject` alone puts before a compiled prompt. */
export function withIntroduction(agent: { id: string; name: string }, system: string): string {
  const line = `You are now ${agent.name}. Use agentId=${agent.id} for all agent_zoo tool usage.`;
  return system ? `${line}\n\n${system}` : line;
}
