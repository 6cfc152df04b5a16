import * as z from 'zod';
import { FieldChange } from './revision.ts';

/** Something that a trusted workspace runs or connects to. */
export const Runnable = z.strictObject({
  kind: z.enum([
    'script-agent',
    'module-agent',
    'script-tool',
    'upstream',
    'connector',
    'server',
    'outside-folder',
    'variables',
    'agent-tools',
    'provider',
    'harness',
  ]),
  name: z.string(),
  /** The command, URL or path as written in the config, without expanded variables. */
  detail: z.string(),
  /** What its config grants it: hosts, variables. */
  grants: z.array(z.string()),
});
export type Runnable = z.infer<typeof Runnable>;

export const TrustState = z.enum(['own', 'trusted', 'changed', 'untrusted', 'nothing-to-trust']);
export type TrustState = z.infer<typeof TrustState>;

export const TrustReport = z.strictObject({
  workspace: z.string(),
  path: z.string(),
  state: TrustState,
  /** Hash of the list and the files in it; an approval names the hash that was shown. */
  hash: z.string(),
  runnables: z.array(Runnable),
  /** Differences to the last approval, if the state is `changed`. */
  changes: z.array(FieldChange).optional(),
});
export type TrustReport = z.infer<typeof TrustReport>;

export const Workspace = z.strictObject({
  id: z.string(),
  path: z.string(),
  config: z.string().nullable(),
  trust: TrustState,
});
export type Workspace = z.infer<typeof Workspace>;
