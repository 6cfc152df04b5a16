import type { Agent, SourceKind } from '../contract/agent.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';
import type { Program } from './programs/program.ts';

export interface SourcedAgent {
  agent: Agent;
  /** The workspace whose file it is in; null for agents that every workspace shares. */
  owner: string | null;
  /** False for a program in an untrusted workspace, which must not run even to describe itself. */
  trusted: boolean;
  /** Computes prompt, scope and messages on resolve; without one, the definition is complete. */
  program?: Program;
  /** The warning while its file is broken and the last good version is served. */
  stale?: string;
}

export interface Loaded {
  agents: SourcedAgent[];
  diagnostics: Diagnostic[];
}

/** Where agents come from. A new one is a file in `sources/` and a line in its index. */
export interface AgentSource {
  kind: SourceKind;
  /** Must never throw: errors become diagnostics, and the last good version is served. */
  load(): Promise<Loaded>;
}
