import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Agent, AgentInput } from '../contract/agent.ts';
import type { Script } from '../contract/config.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';
import { ZooError } from '../contract/errors.ts';
import { parse } from '../contract/parse.ts';
import { hashFile, hashValue, scriptsBeside } from '../platform/content-hash.ts';
import { diagnose } from '../platform/diagnose.ts';
import { toJson, toJsonTable } from '../scripting/json.ts';
import { maskJson, maskText, secretsOf } from '../scripting/script-secrets.ts';
import { DEFAULT_LIMITS, type Json, type ScriptDescription, type ScriptFile } from '../scripting/sandbox.ts';
import { completeDefinition } from './definition.ts';
import { diagnoseId, fileAgent, type FileLoaded, type FolderContent } from './file-source.ts';
import type { Program, ProgramCall } from './program.ts';
import { type FirstIndex, parseFacts } from './script-facts.ts';
import type { SourcedAgent } from './source.ts';
import type { ScriptResult } from '../scripting/sandbox.ts';

/** A program of one language, ready to be asked. */
export interface OpenProgram {
  describe(): Promise<ScriptDescription>;
  run(call: ProgramCall, config: Json): Promise<ScriptResult>;
}

export interface Language {
  source: 'lua' | 'typescript';
  table: 'script' | 'module';
  extensions: RegExp;
  memoryMb: number;
  first: FirstIndex;
  open(file: ScriptFile, version: string): OpenProgram;
}

const MB = 1024 * 1024;
/** Keys of an entry that are ours; all others are the script's own. */
const OURS = new Set(['path', 'timeout', 'memory_mb', 'allow_hosts', 'allow_env']);

type Found = { agent: SourcedAgent } | { failed: FileLoaded['failed'][number] } | null;

/** `[agents.script.NAME]` and `[agents.module.NAME]`: agents that have to run to be known. */
export async function loadPrograms(content: FolderContent, language: Language): Promise<FileLoaded> {
  const { config, memory } = content;
  // While the config cannot be read, nothing says that what it had is gone.
  if (config.broken) {
    const earlier = memory.earlier.get(language.source);
    return { agents: [], parsed: [], failed: [], watch: [], ...earlier, diagnostics: [] };
  }
  const diagnostics: Diagnostic[] = [];
  const entries = Object.entries(config.config.agents?.[language.table] ?? {});
  const found = await Promise.all(
    entries.map(([id, written]) => loadOne(content, language, id, written, diagnostics)),
  );
  const files = entries.map(([, { path }]) => resolve(config.folder, path));
  const loaded: FileLoaded = {
    agents: found.flatMap((one) => (one && 'agent' in one ? [one.agent] : [])),
    failed: found.flatMap((one) => (one && 'failed' in one ? [one.failed] : [])),
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
  written: Script,
  diagnostics: Diagnostic[],
): Promise<Found> {
  const { config, owner, root, expanded, env, memory } = content;
  const { source, table, first } = language;
  const inConfig = { file: config.file ?? '', line: config.lineOf(['agents', table, id]), agentId: id };
  const wrongId = diagnoseId(id, inConfig);
  if (wrongId) return (diagnostics.push(wrongId), null);

  const file = resolve(config.folder, written.path);
  const failed = (program?: Program): Found => ({
    failed: { file, agentId: id, ...(program ? { program } : {}) },
  });
  const info = await stat(file).catch(() => null);
  const wrongFile = language.extensions.test(file)
    ? info?.isFile()
      ? null
      : `there is no file ${written.path}`
    : `${written.path} is not for [agents.${table}], which takes ${table === 'script' ? 'Lua' : 'TypeScript and JavaScript'}`;
  if (wrongFile !== null || !info) {
    const hint = 'The agent is left out until this is put right; everything else is served.';
    diagnostics.push(
      diagnose('error', 'unreadable', `agents.${table}.${id}.path: ${wrongFile}`, { ...inConfig, hint }),
    );
    return failed();
  }
  const born = info.birthtimeMs > 0 && info.birthtimeMs < info.mtimeMs ? info.birthtime : info.mtime;
  const times = { createdAt: born.toISOString(), updatedAt: info.mtime.toISOString() };
  const facts = { id, source, origin: { path: file }, ...times };

  const entry = expanded?.agents?.[table]?.[id];
  if (!entry) {
    const definition = completeDefinition({
      name: id,
      description: 'Not approved yet: see `zoo trust`',
      tools: [],
    });
    return { agent: { agent: fileAgent(definition, facts), owner, trusted: false } };
  }

  const secrets = secretsOf(written, env);
  const script = scriptFile(file, root, entry, content, language);
  const version = await versionOf(script, entry, memory.files.get(file) ?? []);
  const key = `${source} ${file} ${id}`;
  const where = { file, agentId: id };
  try {
    const opened = language.open({ ...script, grants: { ...script.grants, secrets: secrets.all } }, version);
    const { table: said, functions, files } = await opened.describe();
    memory.files.set(file, files);
    const { value, errors, warnings } = parseFacts(said, id, first);
    if (!functions.includes('resolve')) errors.push('resolve must be a function');
    for (const { message, hint } of warnings) {
      diagnostics.push(diagnose('warning', 'unknown-key', message, { ...where, hint }));
    }
    if (!value || errors.length > 0) {
      for (const error of errors)
        diagnostics.push(diagnose('error', 'invalid-value', error, { ...where, hint: LEFT_OUT }));
      return failed(memory.programs.get(key) ?? brokenProgram(file, errors.join('; ')));
    }
    const agent: Agent = fileAgent(completeDefinition(parse(AgentInput, value)), facts);
    const settings = ownSettings(entry);
    const program: Program = {
      version: await versionOf(script, entry, files),
      first,
      run: async (call) => {
        const result = await opened.run(call, settings).catch((error: unknown) => {
          throw error instanceof ZooError ? maskError(error, secrets.all) : error;
        });
        const logs = result.logs.map((line) => ({ ...line, message: maskText(line.message, secrets.all) }));
        return { ...result, value: maskJson(result.value, secrets.kept), logs };
      },
    };
    memory.programs.set(key, program);
    return { agent: { agent, owner, trusted: true, program } };
  } catch (error) {
    const { message, code: kind, details = {} } = maskError(error, secrets.all);
    const at = typeof details.file === 'string' ? details.file : file;
    const line = typeof details.line === 'number' ? details.line : null;
    const code = kind === 'invalid_arguments' ? 'invalid-value' : 'script-error';
    const shown = at === file ? message : `${message} (${at}${line === null ? '' : `:${line}`})`;
    diagnostics.push(
      diagnose('error', code, shown, { ...where, line: at === file ? line : null, hint: LEFT_OUT }),
    );
    return failed(memory.programs.get(key) ?? brokenProgram(file, message));
  }
}

const LEFT_OUT = 'The agent is left out until this is put right; everything else is served.';

function scriptFile(
  path: string,
  root: string,
  { timeout, memory_mb, allow_hosts = [], allow_env = [] }: Script,
  { env }: FolderContent,
  { memoryMb }: Language,
): ScriptFile {
  const granted = allow_env.flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    kind: 'agent',
    path,
    root,
    limits: {
      ...DEFAULT_LIMITS,
      ...(timeout === undefined ? {} : { timeoutMs: timeout * 1000 }),
      memoryBytes: (memory_mb ?? memoryMb) * MB,
    },
    grants: { hosts: allow_hosts, env: Object.fromEntries(granted) },
  };
}

async function versionOf(
  { path, root }: ScriptFile,
  entry: Script,
  files: readonly string[],
): Promise<string> {
  const all = [...new Set([...(await scriptsBeside(path, root)), ...files])].toSorted();
  return hashValue([entry, await Promise.all(all.map(async (file) => [file, await hashFile(file)]))]);
}

/** The keys of an entry that are the script's own. */
function ownSettings(entry: Script): Json {
  return toJson(Object.fromEntries(Object.entries(entry).filter(([key]) => !OURS.has(key))));
}

/** Served in place of a version that once was right, and is not known any more. */
function brokenProgram(file: string, message: string): Program {
  return {
    version: message,
    first: 0,
    run: () => Promise.reject(new ZooError('agent_error', message, { file, line: null, traceback: null })),
  };
}

function maskError(error: unknown, secrets: readonly string[]): ZooError {
  if (!(error instanceof ZooError)) return new ZooError('agent_error', maskText(String(error), secrets));
  return new ZooError(
    error.code,
    maskText(error.message, secrets),
    toJsonTable(maskJson(toJson(error.details), secrets)),
  );
}
