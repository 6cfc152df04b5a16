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

/** What the file sources of one folder read from. */
export interface FolderContent {
  owner: string | null;
  config: LoadedConfig;
  markdown: MarkdownFiles;
  /** The real path of the folder: what was approved is inside of it. */
  root: string;
  /** With variables filled in, for what runs; null while that is not trusted. */
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

/** What is known of a folder's programs from one look at it to the next. */
export interface ProgramMemory {
  /** By source and id: the last version that was right. */
  programs: Map<string, Program>;
  /** The files that a program consists of, by the file it begins with. */
  files: Map<string, readonly string[]>;
  /** What a source found while the config could be read. */
  earlier: Map<SourceKind, FileLoaded>;
}

export function createProgramMemory(): ProgramMemory {
  return { programs: new Map(), files: new Map(), earlier: new Map() };
}

export interface FileLoaded extends Loaded {
  /** Files that could be parsed: an agent that one of them no longer has is gone for good. */
  parsed: string[];
  /** What is there but wrong, and has its last good version served. Without an id it is the whole file. */
  failed: { file: string; agentId: string | null; program?: Program }[];
  /** Something took too long to be read, which may be put down to the machine: worth another look. */
  slow?: boolean;
  /** Files besides those of the folder that it was made from. */
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

/** What is wrong with the id that a file gives its agent; null if nothing is. */
export function diagnoseId(id: string, where: { file: string; line: number | null }): Diagnostic | null {
  const result = AgentId.safeParse(id);
  if (result.success) return null;
  const why = result.error.issues[0]?.message ?? 'is not an id';
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
