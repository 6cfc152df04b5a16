import { type Agent, AgentInput } from '../../contract/agent.ts';
import { type Config, InlineAgent, RESERVED_AGENT_TABLES } from '../../contract/config.ts';
import type { Diagnostic } from '../../contract/diagnostic.ts';
import { ZooError } from '../../contract/errors.ts';
import { parse } from '../../contract/parsing/parse.ts';
import type { KeyPath } from '../../contract/parsing/known-keys.ts';
import { diagnose } from '../../platform/config/diagnose.ts';
import { slug } from '../../platform/text/slug.ts';
import { completeDefinition } from '../definition.ts';
import {
  diagnoseId,
  fileAgent,
  type FileLoaded,
  type FileSource,
  type FolderContent,
} from '../file-source.ts';

/** `[agents.NAME]` and `[agents.inline.NAME]` of a config. */
export function createTomlSource({ owner, config }: Pick<FolderContent, 'owner' | 'config'>): FileSource {
  const { file } = config;
  return {
    kind: 'toml',
    async load(): Promise<FileLoaded> {
      if (file === null) return { agents: [], diagnostics: [], parsed: [], failed: [] };
      if (config.broken)
        return { agents: [], diagnostics: [], parsed: [], failed: [{ file, agentId: null }] };

      const agents = new Map<string, Agent>();
      const diagnostics: Diagnostic[] = [];
      const failed = new Set(config.failedAgents);
      for (const { id, path, inline } of entriesOf(config.config.agents)) {
        const line = config.lineOf(path);
        const wrongId = diagnoseId(id, { file, line });
        if (wrongId) {
          diagnostics.push(wrongId);
          continue;
        }
        const winner = agents.get(id);
        if (winner) {
          const where = `line ${winner.origin?.line ?? '?'}`;
          diagnostics.push(
            diagnose(
              'warning',
              'duplicate-id',
              `[agents.inline.${id}] is ignored: [agents.${id}] on ${where} has the same id`,
              {
                file,
                line,
                hint: 'Rename one of them.',
                agentId: id,
              },
            ),
          );
          continue;
        }
        try {
          const definition = completeDefinition(parse(AgentInput, toInput(inline, id)));
          const origin = { path: file, ...(line === null ? {} : { line }) };
          const { createdAt, updatedAt } = config;
          agents.set(id, fileAgent(definition, { id, source: 'toml', origin, createdAt, updatedAt }));
        } catch (error) {
          if (!(error instanceof ZooError)) throw error;
          failed.add(id);
          const hint = 'The agent is not served until this is fixed; everything else is.';
          diagnostics.push(
            diagnose('error', 'invalid-value', `agents.${id}: ${error.message}`, {
              file,
              line,
              hint,
              agentId: id,
            }),
          );
        }
      }
      return {
        agents: [...agents.values()].map((agent) => ({ agent, owner, trusted: true })),
        diagnostics,
        parsed: [file],
        failed: [...failed].filter((id) => !agents.has(id)).map((agentId) => ({ file, agentId })),
      };
    },
  };
}

interface Entry {
  id: string;
  path: KeyPath;
  inline: InlineAgent;
}

/** Plain entries come first and win over those in the `inline` table. */
function entriesOf(agents: Config['agents'] = {}): Entry[] {
  const { inline = {}, ...others } = agents;
  const plain = Object.entries(others).filter(
    ([name]) => !RESERVED_AGENT_TABLES.some((table) => table === name),
  );
  const entries = [
    ...plain.map(([id, value]) => ({ id, path: ['agents', id], value })),
    ...Object.entries(inline).map(([id, value]) => ({
      id,
      path: ['agents', 'inline', id],
      value,
    })),
  ];
  // Already validated; parsing again only provides the type.
  return entries.map(({ id, path, value }) => ({ id, path, inline: InlineAgent.parse(value) }));
}

function toInput(inline: InlineAgent, id: string): AgentInput {
  const { system_prompt, context_refs, skill_categories, skills, ...rest } = inline;
  const { published_tools, tool_permission, tool_approvals, ...others } = rest;
  const { appearance_seed, context_tokens, a2a_skills, ...same } = others;
  const categories = (skill_categories ?? []).map((one) => ({
    ...one,
    id: one.id ?? slug(one.name, 'category'),
  }));
  const categoryId = (named: string): string => {
    const known = categories.find(({ id: one, name }) => one === named || name === named);
    if (known) return known.id;
    const added = { id: slug(named, 'category'), name: named };
    categories.push(added);
    return added.id;
  };
  const skillInputs = skills?.map(({ category, ...skill }) => ({
    ...skill,
    ...(category === undefined ? {} : { categoryId: categoryId(category) }),
  }));
  return {
    ...same,
    name: inline.name ?? id,
    systemPrompt: system_prompt,
    contextRefs: context_refs,
    contextTokens: context_tokens,
    skillCategories: categories.length > 0 ? categories : undefined,
    skills: skillInputs,
    publishedTools: published_tools,
    toolPermission: tool_permission,
    toolApprovals: tool_approvals,
    a2aSkills: a2a_skills,
    appearanceSeed: appearance_seed,
  };
}
