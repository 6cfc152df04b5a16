import * as z from 'zod';
import { FilePart, TextPart } from '../../contract/run.ts';

/** Everything a run was asked for; enough to go on with it after a restart. */
export const RunRequest = z.strictObject({
  id: z.string(),
  agentId: z.string(),
  workspace: z.string(),
  /** Who asked: it alone and the operator see the run. */
  caller: z.string(),
  surface: z.enum(['http', 'mcp', 'a2a', 'acp', 'cli', 'web']),
  input: z.array(z.discriminatedUnion('type', [TextPart, FilePart])),
  arguments: z.record(z.string(), z.unknown()),
  /** Nobody can be asked for approval. */
  headless: z.boolean(),
  models: z.array(z.string()).nullable(),
  outputSchema: z.record(z.string(), z.unknown()).nullable(),
  depth: z.int().min(0),
});
export type RunRequest = z.infer<typeof RunRequest>;
