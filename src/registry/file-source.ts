import type { Agent, AgentDefinition, Origin, SourceKind } from '../contract/agent.ts';
import { AgentId } from '../contract/agent.ts';
import type { Config } from '../contract/config.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';
import type { LoadedConfig } from '../platform/config/config.ts';
import { diagnose } from '../platform/config/diagnose.ts';
import type { Environment } from '../platform/home/paths.ts';
import type { Approved } from '../platform/trust/trust.ts';
import type { UnsetVariable } from '../platform/config/variables.ts';
import type { KeptPrograms } from './programs/kept-program.ts';
import type { MarkdownFiles } from './markdown/markdown-files.ts';
import type { Program, ScriptEngines } from './programs/program.ts';
import type { AgentSource, Loaded } from './source.ts';

/** Input of the file sources of a folder. */
export interface FolderContent {
  owner: string | null;
  config: LoadedConfig;
  markdown: MarkdownFiles;
  /** The real path of the folder; everything approved lies inside it. */
  root: string;
  /** The config with variables filled in, for programs; null while it is untrusted. */
  expanded: Config | null;
  unset: readonly UnsetVariable[];
  approved: Approved | null;
  env: Environment;
  /** Values for the `${VAR}` of the config. */
  variables: Environment;
  engines: ScriptEngines;
  memory: ProgramMemory;
  lastGood: KeptPrograms;
}

/** State of a folder's programs between loads. */
export interface ProgramMemory {
  /** The last valid version, by source and id. */
  programs: Map<string, Program>;
  /** The files of a program, by its entry file. */
  files: Map<string, readonly string[]>;
  /** The last result of each source with a valid config. */
  earlier: Map<SourceKind, FileLoaded>;
}

export function createProgramMemory(): ProgramMemory {
  return { programs: new Map(), files: new Map(), earlier: new Map() };
}

export interface FileLoaded extends Loaded {
  /** Files that were parsed: an agent that is no longer in them has been removed. */
  parsed: string[];
  /** Broken entries, whose last good version is served. Without an id, the whole file. */
  failed: { file: string; agentId: string | null; program?: Program }[];
  /** Something timed out while loading, perhaps because the machine is busy: retry later. */
  slow?: boolean;
  /** Additional files that it was loaded from. */
  watch?: string[];
}

/** A source whose agents are in the files of a folder. */
export interface FileSource extends AgentSource {
  load(): Promise<FileLoaded>;
}

export type CreateFileSource = (content: FolderContent) => FileSource;

export interface FileFacts {
  id: string;
  source: SourceKind;
  origin: Origin;
  createdAt: string;
  updatedAt: string;
}

export function fileAgent(definition: AgentDefinition, facts: FileFacts): Agent {
  return { ...definition, ...facts, revision: 0 };
}

/** A diagnostic for an invalid agent id in a file; null if it is valid. */
export function diagnoseId(id: string, where: { file: string; line: number | null }): Diagnostic | null {
  const result = AgentId.safeParse(id);
  if (result.success) return null;
  const why = result.error.issues[0]?.message ?? 'is not a valid id';
  const reserved = why.startsWith('is reserved');
  return diagnose(
    'error',
    reserved ? 'reserved-id' : 'invalid-value',
    `the agent id ${JSON.stringify(id)} ${why}`,
    {
      ...where,
      hint: 'The agent is not served. Give it another name.',
    },
  );
}
