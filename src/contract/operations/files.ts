import * as z from 'zod';
import { AgentInput, Origin, SourceKind } from '../agent.ts';
import { Diagnostic } from '../diagnostic.ts';
import type { Operation } from '../table/operation.ts';

const tag = 'agents';

/** An agent in a file that can be imported. */
export const FoundAgent = z.strictObject({
  /** The file, as it was named. */
  file: z.string(),
  /** Null if the file does not say one; then it is made from the name. */
  id: z.string().nullable(),
  input: AgentInput,
  /** Why the id cannot be used for a new agent: another one has it, or had it before it was deleted. */
  taken: z.enum(['editor', 'file', 'deleted']).nullable(),
});
export type FoundAgent = z.infer<typeof FoundAgent>;

/** A skill in a `SKILL.md` that can be added to an agent. */
export const FoundSkill = z.strictObject({
  /** The file, as it was named. */
  file: z.string(),
  name: z.string(),
  /** The text that the agent gets. */
  description: z.string(),
  /** Tools that the skill may use. */
  allowedTools: z.array(z.string()),
});
export type FoundSkill = z.infer<typeof FoundSkill>;

const MAX_FILES_BYTES = 16 * 1024 * 1024;

export const operations = {
  readAgentFiles: {
    kind: 'unary',
    tag,
    summary:
      'Read the agents and skills in files without saving them: what each would become, and what would be lost',
    method: 'POST',
    path: '/api/agent-files',
    access: 'operator',
    body: z.strictObject({
      files: z.array(z.strictObject({ path: z.string().min(1).max(1000), text: z.string() })).max(1000),
    }),
    output: z.strictObject({
      agents: z.array(FoundAgent),
      skills: z.array(FoundSkill),
      diagnostics: z.array(Diagnostic),
    }),
    status: 200,
    errors: ['invalid_arguments'],
    maxBody: MAX_FILES_BYTES,
  },
  getAgentSource: {
    kind: 'unary',
    tag,
    summary: 'Get the text of the file that an agent is defined in',
    method: 'GET',
    path: '/api/agents/{id}/source',
    access: 'operator',
    params: z.object({ id: z.string() }),
    output: z.strictObject({ source: SourceKind, origin: Origin, text: z.string() }),
    status: 200,
    errors: ['agent_not_found', 'invalid_arguments'],
  },
} as const satisfies Record<string, Operation>;
