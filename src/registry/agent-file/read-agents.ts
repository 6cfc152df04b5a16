import { basename, extname } from 'node:path';
import { type Agent, AgentInput } from '../../contract/agent.ts';
import type { Diagnostic } from '../../contract/diagnostic.ts';
import { ZooError } from '../../contract/errors.ts';
import { parse } from '../../contract/parsing/parse.ts';
import { loadConfig } from '../../platform/config/config.ts';
import { diagnose } from '../../platform/config/diagnose.ts';
import { messageOf } from '../../platform/text/error-message.ts';
import { slug } from '../../platform/text/slug.ts';
import { definitionOf } from '../definition.ts';
import { parseMarkdownAgent } from '../markdown/markdown-agent.ts';
import { type SkillFile, isSkillFile, readSkillFile } from '../markdown/skill-file.ts';
import { createTomlSource } from '../sources/toml.ts';
import type { AgentFormat } from './agent-format.ts';

export interface ReadAgent {
  id: string | undefined;
  input: AgentInput;
}

export interface ReadFile {
  agents: ReadAgent[];
  /** Of a `SKILL.md`. */
  skills?: SkillFile[];
  diagnostics: Diagnostic[];
}

/** The agents of a file; the rest become diagnostics. */
export async function readAgents(file: string, text: string, format: AgentFormat): Promise<ReadFile> {
  if (format === 'json') return readJson(file, text);
  return format === 'toml' ? readToml(file, text) : readMarkdownFile(file, text);
}

async function readToml(file: string, text: string): Promise<ReadFile> {
  const codex = await readCodexAgent(file, text);
  if (codex) return codex;
  const config = await loadConfig(file, { text, serving: true });
  const { agents, diagnostics } = await createTomlSource({ owner: null, config }).load();
  const others = Object.keys(config.config).filter((section) => section !== 'agents');
  return {
    agents: agents.map(({ agent }) => fromAgent(agent)),
    diagnostics: [
      ...config.diagnostics.filter(
        ({ code }) => code !== 'misplaced-section' && code !== 'ignored-section' && code !== 'not-available',
      ),
      ...diagnostics,
      ...others.map((section) =>
        diagnose('note', 'ignored-section', `[${section}] is not an agent and was not imported`, { file }),
      ),
    ],
  };
}

/** A named agent from `.codex/agents`; null for other files, such as Codex's config, and for invalid TOML. */
async function readCodexAgent(file: string, text: string): Promise<ReadFile | null> {
  if (!text.includes('developer_instructions')) return null;
  const { parse: parseToml, TomlError } = await import('smol-toml');
  try {
    const { developer_instructions: systemPrompt, name, description, model, ...metadata } = parseToml(text);
    if (typeof systemPrompt !== 'string' || typeof name !== 'string') return null;
    const found: ReadFile = { agents: [], diagnostics: [] };
    const id = slug(name, 'agent');
    const item = { id, name, description, systemPrompt, model, metadata };
    take(found, file, Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined)));
    return found;
  } catch (error) {
    if (error instanceof TomlError) return null;
    throw error;
  }
}

/** An `id` written by `export` is the agent's id here, not metadata. */
async function readMarkdownFile(file: string, text: string): Promise<ReadFile> {
  if (isSkillFile(file)) return readSkill(file, text);
  const parsed = await parseMarkdownAgent(text, file, basename(file, extname(file)));
  const { diagnostics } = parsed;
  if (!parsed.ok) {
    // A file without an agent is a note within a folder, but an error if it was named explicitly.
    return { agents: [], diagnostics: diagnostics.map((one) => ({ ...one, severity: 'error' as const })) };
  }
  const { id = parsed.id, ...metadata } = parsed.input.metadata ?? {};
  return { agents: [{ id: String(id), input: { ...parsed.input, metadata } }], diagnostics };
}

async function readSkill(file: string, text: string): Promise<ReadFile> {
  const skill = await readSkillFile(file, text);
  if (skill) return { agents: [], skills: [skill], diagnostics: [] };
  const why = 'a skill needs a name and a description in its front matter';
  return { agents: [], diagnostics: [diagnose('error', 'not-an-agent', why, { file })] };
}

function fromAgent(agent: Agent): ReadAgent {
  return { id: agent.id, input: definitionOf(agent) };
}

/** One agent, a list of them, or `{"agents": […]}`, as `export` writes them. */
function readJson(file: string, text: string): ReadFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = messageOf(error);
    return { agents: [], diagnostics: [diagnose('error', 'syntax', `not valid JSON: ${why}`, { file })] };
  }
  const found: ReadFile = { agents: [], diagnostics: [] };
  for (const item of itemsOf(value)) take(found, file, fromToolsAgent(item));
  return found;
}

function itemsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'object' && value !== null && 'agents' in value && Array.isArray(value.agents))
    return value.agents;
  return [value];
}

/** Fields of an export that are not part of the definition. */
const facts = new Set(['id', 'source', 'origin', 'revision', 'createdAt', 'updatedAt', '$schema']);

function take(found: ReadFile, file: string, item: unknown): void {
  const entries: [string, unknown][] = typeof item === 'object' && item !== null ? Object.entries(item) : [];
  const id = entries.find(([key]) => key === 'id')?.[1];
  const agentId = typeof id === 'string' ? id : null;
  const authored = entries.filter(([key]) => !facts.has(key));
  const known = authored.filter(([key]) => key in AgentInput.shape);
  for (const [key] of authored.filter(([name]) => !(name in AgentInput.shape))) {
    found.diagnostics.push(
      diagnose('warning', 'unknown-key', `${key} is unknown and was ignored`, { file, agentId }),
    );
  }
  try {
    found.agents.push({ id: agentId ?? undefined, input: parse(AgentInput, Object.fromEntries(known)) });
  } catch (error) {
    if (!(error instanceof ZooError)) throw error;
    found.diagnostics.push(
      diagnose('error', 'invalid-value', `${agentId ?? 'an agent'}: ${error.message}`, { file, agentId }),
    );
  }
}

/**
 * Converts seed 004's JSON to an agent: `{"metadata": {"name", "tools": […]}}`, one tool by itself, or MCP's
 * `{"serverInfo", "instructions"}`. Anything else is returned unchanged.
 */
function fromToolsAgent(item: unknown): unknown {
  if (!isTable(item)) return item;
  if (isTool(item)) {
    return { name: item['name'], description: item['description'], mode: 'tools', publishedTools: [item] };
  }
  const { metadata, serverInfo, instructions, ...others } = item;
  if (isTable(serverInfo)) {
    const { name, version } = serverInfo;
    return {
      mode: 'tools',
      ...others,
      name,
      version,
      ...(instructions ? { description: instructions } : {}),
    };
  }
  if (item['name'] !== undefined || !isTable(metadata) || !Array.isArray(metadata['tools'])) return item;
  const { tools, name, description, version, ...rest } = metadata;
  const known = Object.fromEntries(
    Object.entries({ name, description, version }).filter(([, value]) => value !== undefined),
  );
  const kept = Object.keys(rest).length === 0 ? {} : { metadata: rest };
  return { mode: 'tools', ...others, ...known, publishedTools: tools, ...kept };
}

const isTool = (item: Record<string, unknown>): boolean =>
  typeof item['prompt'] === 'string' && isTable(item['parameters']) && typeof item['name'] === 'string';

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
