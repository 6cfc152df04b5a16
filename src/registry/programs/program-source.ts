import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Agent, AgentInput } from '../../contract/agent.ts';
import type { Script, ScriptAgent } from '../../contract/config.ts';
import type { Diagnostic } from '../../contract/diagnostic.ts';
import { ZooError } from '../../contract/errors.ts';
import { parse } from '../../contract/parsing/parse.ts';
import { type ContentLook, hashValue, lookAtContent } from '../../platform/trust/content-hash.ts';
import { diagnose } from '../../platform/config/diagnose.ts';
import { realPath } from '../../platform/files/real-path.ts';
import { approvedFiles } from '../../platform/trust/trust.ts';
import { unsetUnder } from '../../platform/config/variables.ts';
import type { Json, ScriptDescription, ScriptFile, ScriptResult } from '../../scripting/sandbox.ts';
import { failureIn, maskError, readScriptEntry, withoutSecrets } from '../../scripting/script-entry.ts';
import { completeDefinition } from '../definition.ts';
import { diagnoseId, fileAgent, type FileLoaded, type FolderContent } from '../file-source.ts';
import type { KeptProgram } from './kept-program.ts';
import type { Program, ProgramCall } from './program.ts';
import { type FirstIndex, parseFacts } from './script-facts.ts';
import { staleWarning } from '../layers/merge-loaded.ts';
import type { SourcedAgent } from '../source.ts';

/** A loaded program of one language. */
export interface OpenProgram {
  describe(): Promise<ScriptDescription & { texts: Texts | null }>;
  /** With the contents of its files, if they are stored. */
  run(call: ProgramCall, config: Json, texts: Texts | null): Promise<ScriptResult>;
}

/** Computes the current version of a program from its files on disk. */
type VersionAt = (look: ContentLook) => Promise<string>;
type Described = KeptProgram & { lasting?: boolean };
type Texts = Readonly<Record<string, string>>;

export interface Language {
  source: 'lua' | 'typescript';
  table: 'script' | 'module';
  extensions: RegExp;
  memoryMb: number;
  first: FirstIndex;
  open(file: ScriptFile, version: string): OpenProgram;
}

type Found =
  | { agent: SourcedAgent; version?: VersionAt }
  | { failed: FileLoaded['failed'][number]; slow: boolean }
  | null;

/** `[agents.script.NAME]` and `[agents.module.NAME]`: agents that describe themselves by running. */
export async function loadPrograms(content: FolderContent, language: Language): Promise<FileLoaded> {
  const { config, memory } = content;
  // While the config cannot be read, its programs are assumed to be unchanged.
  if (config.broken) {
    const { agents = [], ...earlier } = memory.earlier.get(language.source) ?? {};
    const [why] = config.diagnostics;
    const stale = (one: SourcedAgent): SourcedAgent =>
      why ? { ...one, stale: staleWarning(one.agent, why, config.folder) } : one;
    return { parsed: [], failed: [], watch: [], ...earlier, agents: agents.map(stale), diagnostics: [] };
  }
  const diagnostics: Diagnostic[] = [];
  const entries = Object.entries(config.config.agents?.[language.table] ?? {});
  const files = entries.map(([, { path }]) => resolve(config.folder, path));
  await content.lastGood.read(files);
  const before = lookAtContent();
  const found = await Promise.all(
    entries.map(([id, written]) => loadOne(content, language, id, written, before, diagnostics)),
  );
  const after = lookAtContent();
  const loaded: FileLoaded = {
    agents: await Promise.all(
      found.flatMap((one) => (one && 'agent' in one ? [ifSteady(one.agent, one.version, after)] : [])),
    ),
    failed: found.flatMap((one) => (one && 'failed' in one ? [one.failed] : [])),
    slow: found.some((one) => one && 'slow' in one && one.slow),
    parsed: files,
    watch: [...files, ...files.flatMap((file) => memory.files.get(file) ?? [])],
    diagnostics: diagnostics.toSorted((a, b) => (a.agentId ?? '').localeCompare(b.agentId ?? '')),
  };
  memory.earlier.set(language.source, loaded);
  return loaded;
}

async function loadOne(
  content: FolderContent,
  language: Language,
  id: string,
  written: ScriptAgent,
  look: ContentLook,
  diagnostics: Diagnostic[],
): Promise<Found> {
  const { config, owner, root, expanded, approved, env, variables, memory } = content;
  const unset = unsetUnder(content.unset, ['agents', language.table, id]);
  const { source, table, first } = language;
  const inConfig = { file: config.file ?? '', line: config.lineOf(['agents', table, id]), agentId: id };
  const wrongId = diagnoseId(id, inConfig);
  if (wrongId) return (diagnostics.push(wrongId), null);

  const file = resolve(config.folder, written.path);
  const failed = (program?: Program, slow = false): Found => ({
    failed: { file, agentId: id, ...(program ? { program } : {}) },
    slow,
  });
  const found = await checkFile(file, written.path, language);
  if (typeof found === 'string') {
    const message = `agents.${table}.${id}.path: ${found}`;
    diagnostics.push(diagnose('error', 'unreadable', message, { ...inConfig, hint: LEFT_OUT }));
    return failed();
  }
  const facts = { id, source, origin: { path: file }, ...found };

  const entry = expanded?.agents?.[table]?.[id];
  if (!entry) return { agent: { agent: fileAgent(unapproved(id), facts), owner, trusted: false } };

  const place = {
    kind: 'agent',
    folder: config.folder,
    root,
    approved: approvedFiles(approved, `${table}-agent`, id),
    env,
    variables,
    memoryMb: language.memoryMb,
  } as const;
  const ready = readScriptEntry(written, entry, place);
  const { file: script, settings, secrets } = ready;
  const kept = content.lastGood.recallProgram(file, id);
  const versionWith = (files: readonly string[], at = look) => versionOf(script, entry, files, at);
  const version = await versionWith(memory.files.get(file) ?? kept?.files ?? []);
  const key = `${source} ${file} ${id}`;
  const where = { file, agentId: id };
  const programOf = (known: KeptProgram, opened: OpenProgram): Program => ({
    version: known.version,
    first,
    run: async (call) => {
      if (unset !== null) throw new ZooError('agent_error', unset);
      return withoutSecrets(ready, () => opened.run(call, settings, known.texts));
    },
  });
  /** Its last good version, if that can still run. */
  const earlier = async (message: string): Promise<Program> => {
    const known = memory.programs.get(key);
    if (known) return known;
    if (!kept?.texts || (script.approved && !kept.approved))
      return brokenProgram(file, message, found.updatedAt);
    return programOf(kept, language.open(await withTexts(script, kept.texts), kept.version));
  };
  try {
    const opened = language.open(script, version);
    const described: Described =
      kept?.version === version ? kept : await describe(opened, script, versionWith);
    memory.files.set(file, described.files);
    const { value, errors, warnings } = parseFacts(described.table, id, first);
    if (!described.functions.includes('resolve')) errors.push('resolve must be a function');
    for (const { message, hint } of warnings) {
      diagnostics.push(diagnose('warning', 'unknown-key', message, { ...where, hint }));
    }
    if (!value || errors.length > 0) {
      for (const error of errors)
        diagnostics.push(diagnose('error', 'invalid-value', error, { ...where, hint: LEFT_OUT }));
      return failed(await earlier(errors.join('; ')));
    }
    // The config decides which sources the program may use.
    const bound = written.sources === undefined ? value : { ...value, sources: written.sources };
    const agent: Agent = fileAgent(completeDefinition(parse(AgentInput, bound)), facts);
    const { lasting = true, ...said } = described;
    const known = { ...said, approved: said.approved || script.approved !== undefined };
    const program: Program = { ...programOf(known, opened), ...(lasting ? { kept: known } : {}) };
    memory.programs.set(key, program);
    const current: VersionAt = (at) => versionWith(known.files, at);
    return { agent: { agent, owner, trusted: true, program }, version: current };
  } catch (error) {
    const masked = maskError(error, secrets);
    const slow = masked.code === 'timeout';
    diagnostics.push(diagnoseFailure(masked, where, slow));
    return failed(await earlier(masked.message), slow);
  }
}

const unapproved = (id: string) =>
  completeDefinition({ name: id, description: 'Not approved yet: see `zoo trust`', tools: [] });

/** Recorded under the script file, like its last good version. */
function diagnoseFailure(
  error: ZooError,
  where: { file: string; agentId: string },
  slow: boolean,
): Diagnostic {
  const { message, ...at } = failureIn(where.file, error);
  const inScript = at.file === where.file;
  return diagnose(
    'error',
    diagnosticCodes[error.code] ?? 'script-error',
    inScript ? message : error.message,
    {
      ...where,
      line: inScript ? at.line : null,
      hint: slow ? TRIED_AGAIN : LEFT_OUT,
    },
  );
}

/** When the file was created and changed, or why it cannot be used. */
async function checkFile(
  file: string,
  shown: string,
  { extensions, table }: Language,
): Promise<{ createdAt: string; updatedAt: string } | string> {
  if (!extensions.test(file)) {
    const languages = table === 'script' ? 'Lua' : 'TypeScript and JavaScript';
    return `${shown} does not fit [agents.${table}], which takes ${languages}`;
  }
  const info = await stat(file).catch(() => null);
  if (!info?.isFile()) return `file ${shown} not found`;
  const born = info.birthtimeMs > 0 && info.birthtimeMs < info.mtimeMs ? info.birthtime : info.mtime;
  return { createdAt: born.toISOString(), updatedAt: info.mtime.toISOString() };
}

async function describe(
  opened: OpenProgram,
  script: ScriptFile,
  versionWith: (files: readonly string[]) => Promise<string>,
): Promise<Described> {
  const { texts, ...said } = await opened.describe();
  return {
    ...said,
    texts: texts && { ...texts },
    version: await versionWith(said.files),
    approved: script.approved !== undefined,
  };
}

/** A file that changed while it was read must not be cached as read. */
async function ifSteady(
  one: SourcedAgent,
  version: VersionAt | undefined,
  after: ContentLook,
): Promise<SourcedAgent> {
  const { program } = one;
  if (!program?.kept || (await version?.(after)) === program.version) return one;
  const { kept: _kept, ...rest } = program;
  return { ...one, program: rest };
}

/** Contents that ran before stay approved, besides the current ones. */
async function withTexts(script: ScriptFile, texts: Texts): Promise<ScriptFile> {
  const { approved } = script;
  if (!approved) return script;
  const hashes = Object.entries(texts).map(
    async ([file, text]) => [await realPath(file), createHash('sha256').update(text).digest('hex')] as const,
  );
  return { ...script, approved: { ...approved, ...Object.fromEntries(await Promise.all(hashes)) } };
}

const diagnosticCodes: Partial<Record<ZooError['code'], Diagnostic['code']>> = {
  invalid_arguments: 'invalid-value',
  untrusted: 'untrusted',
};

const TRIED_AGAIN =
  'The agent is not served until it loads. It is retried a few times, and whenever a file changes.';
const LEFT_OUT = 'The agent is not served until this is fixed; everything else is.';

async function versionOf(
  { path, root, grants }: ScriptFile,
  entry: Script,
  files: readonly string[],
  look: ContentLook,
): Promise<string> {
  const all = [...new Set([...(await look.scriptsBeside(path, root)), ...files])].toSorted();
  const hashes = await Promise.all(all.map(async (file) => [file, await look.hashFile(file)]));
  return hashValue([entry, grants.env, hashes]);
}

/** Served instead of an earlier valid version that is no longer stored. */
function brokenProgram(file: string, message: string, since: string): Program {
  const told = `broken since ${since}; listed as it was before: ${message}`;
  return {
    version: message,
    first: 0,
    broken: true,
    run: () => Promise.reject(new ZooError('agent_error', told, { file, line: null, traceback: [] })),
  };
}
