import { dirname, join, resolve } from 'node:path';
import type { Config } from '../../contract/config.ts';
import type { Diagnostic } from '../../contract/diagnostic.ts';
import type { TrustReport } from '../../contract/workspace.ts';
import {
  CONFIG_NAMES,
  configIn,
  emptyConfig,
  type LoadedConfig,
  loadConfig,
} from '../../platform/config/config.ts';
import type { Database } from '../../platform/store/database.ts';
import { diagnose } from '../../platform/config/diagnose.ts';
import { type Environment, userConfigFolder } from '../../platform/home/paths.ts';
import { realPath } from '../../platform/files/real-path.ts';
import type { ToolGrant } from '../../platform/trust/runnables.ts';
import { type Approved, assessTrust, isTrusted } from '../../platform/trust/trust.ts';
import { expandVariables, type UnsetVariable, variablesIn } from '../../platform/config/variables.ts';
import { collectVariables, loadEnvFile } from '../../platform/config/config-variables.ts';
import type { SecretFiles } from '../../platform/home/secret-files.ts';
import { secretsIn, secretVariables } from '../../platform/config/secret-fields.ts';
import type { SecretMask } from '../../platform/text/secret-mask.ts';
import type { WatchedPaths } from '../../platform/files/watch.ts';
import { createProgramMemory, type FileLoaded } from '../file-source.ts';
import type { LastGood } from './last-good.ts';
import { findMarkdownFiles } from '../markdown/markdown-files.ts';
import { mergeLoaded } from './merge-loaded.ts';
import type { ScriptEngines } from '../programs/program.ts';
import type { SourcedAgent } from '../source.ts';
import { fileSources } from '../sources/index.ts';
import { createMarkdownSource } from '../sources/markdown.ts';
import { createTomlSource } from '../sources/toml.ts';

/** Sources that run no code, so they are read even before the workspace is trusted. */
const dataSources = [createTomlSource, createMarkdownSource];
const programSources = fileSources.filter((create) => !dataSources.some((each) => each === create));

const CLAUDE_FOLDER = '.claude/agents';
const DEFAULT_FOLDERS = [CLAUDE_FOLDER, 'agents'];

type EntriesToApprove = (
  tools: readonly string[] | null,
  groups: Readonly<Record<string, unknown>>,
  options: { unasked: boolean },
) => string[];

export interface FolderOptions {
  /** The id of the workspace; null for the user's own config directory. */
  owner: string | null;
  folder: string;
  /** Null to use the folder's own config, if any. */
  configFile: string | null;
  /** Whether the hub was started with this config. */
  serving: boolean;
  /** Whether it is used in place of the user's own config. */
  standsIn?: boolean;
  database: Database;
  env: Environment;
  trustAll: boolean;
  /** Entries of an agent's `tools` that need an approval, given the groups of its config and whether it asks. */
  entriesToApprove: EntriesToApprove;
  engines: ScriptEngines;
  /** Values of `zoo secret set`; null if unavailable. */
  stored: SecretFiles | null;
  /** Registers the values of `${VAR}` in an approved config. */
  secrets: Pick<SecretMask, 'learn'>;
}

export interface LayerSnapshot {
  /** As written. */
  config: LoadedConfig;
  /** With variables filled in, for programs and connections; null while untrusted. Contains secrets. */
  expanded: Config | null;
  /** The values that were filled in. */
  variables: Environment;
  /** Values that must not leave the hub. */
  secrets: readonly string[];
  /** Entries that need unset variables, and must not be used. */
  unset: readonly UnsetVariable[];
  trust: TrustReport;
  /** The files that its scripts may load; null if no approval is needed. */
  approved: Approved | null;
  agents: SourcedAgent[];
  diagnostics: Diagnostic[];
}

export interface LoadedLayer {
  snapshot: LayerSnapshot;
  watch: WatchedPaths;
  /** Should be reloaded even without a change. */
  slow: boolean;
}

/** Creates the function that reads a folder. */
export async function loadLayer(options: FolderOptions, lastGood: LastGood) {
  const { owner, folder, database, env, serving, trustAll, engines, secrets, stored } = options;
  const own = owner === null || (await realPath(folder)) === (await realPath(userConfigFolder(env)));
  const found = await configIn(folder);
  // An explicit config is never replaced by a discovered one.
  const pinned = options.configFile !== null && options.configFile !== found ? options.configFile : null;

  let named: readonly string[] | undefined;
  const memory = createProgramMemory();

  return async (): Promise<LoadedLayer> => {
    const path = await realPath(folder);
    const file = pinned ?? (await configIn(folder));
    const config =
      file === null ? emptyConfig(folder) : await loadConfig(file, { serving, own: own || options.standsIn });
    // While the config is broken, its previous folders are used.
    if (!config.broken) named = config.config.markdown?.folders;
    const folders = named ?? (file === null && !own ? [CLAUDE_FOLDER] : DEFAULT_FOLDERS);
    const places = { root: folder, folders, named: named !== undefined };

    const inside = await findMarkdownFiles({ ...places, followOutside: false });
    const names = [...new Set(variablesIn(JSON.stringify(config.config)))];
    const envFile = await loadEnvFile(file);
    const fromFile = names.filter((name) => env[name] === undefined && envFile?.values[name] !== undefined);
    const loadData = (markdown: typeof inside) =>
      Promise.all(dataSources.map((create) => create({ owner, config, markdown }).load()));
    // Outside folders are only listed for the approval: their agents, and the tools that these would get.
    const followed =
      inside.outside.length > 0 ? await findMarkdownFiles({ ...places, followOutside: true }) : inside;
    const data = await loadData(followed);
    await lastGood.read([...(file === null ? [] : [file]), ...followed.files]);
    const subject = {
      workspace: owner,
      own,
      path,
      config: config.config,
      outside: inside.outside,
      variables: envFile && fromFile.length > 0 ? { file: envFile.path, names: fromFile } : null,
      grants: own ? [] : findGrants(data, lastGood, config.config, options.entriesToApprove),
    };
    const trust = await assessTrust(database, subject, { trustAll });
    const trusted = isTrusted(trust.report.state);
    const markdown = trusted ? followed : inside;

    // Values are not used until the workspace is trusted, but unset ones are always reported.
    const values = await collectVariables(names, { env, file: envFile, stored });
    const variables = expandVariables(config.config, values, config);
    const expanded = trusted ? variables.config : null;
    const known = trusted ? secretsOf(config.config, env, values) : [];
    secrets.learn(known);
    const { approved } = trust;
    const given = { owner, config, markdown, env, engines, memory, lastGood };
    const content = { ...given, root: path, expanded, unset: variables.unset, approved, variables: values };
    const loaded = [
      ...(markdown === followed ? data : await loadData(markdown)),
      ...(await Promise.all(programSources.map((create) => create(content).load()))),
    ];
    const programs = loaded.flatMap(({ watch = [] }) => watch);
    const files = [...(file === null ? [] : [file]), ...markdown.files, ...programs];
    await lastGood.read(files);
    const { agents, diagnostics } = mergeLoaded(loaded, lastGood, { owner, folder }, config.diagnostics);
    lastGood.keep(loaded, files);

    return {
      slow: loaded.some(({ slow }) => slow),
      snapshot: {
        config,
        expanded,
        variables: values,
        secrets: known,
        unset: variables.unset,
        trust: trust.report,
        approved,
        agents,
        diagnostics: [
          ...diagnostics,
          ...markdown.diagnostics,
          ...variables.diagnostics,
          ...diagnoseTrust(trust.report, file),
        ].map((diagnostic) => ({ ...diagnostic, workspace: owner })),
      },
      watch: {
        files: [
          ...(pinned === null ? CONFIG_NAMES.map((name) => join(folder, name)) : [pinned]),
          ...(file === null ? [] : [await realPath(file), join(dirname(file), '.env')]),
          // Includes folders by name, since a link may be changed to another target.
          ...folders.map((name) => resolve(folder, name)),
          ...markdown.targets.files.concat(trust.watch.files, programs),
          ...names.flatMap((name) => stored?.path(name) ?? []),
        ],
        folders: [...markdown.targets.folders, ...trust.watch.folders],
      },
    };
  };
}

/**
 * What agents need approval for: tools beyond the read-only built-ins, published tools, and the agents' rules
 * for asking before a call. Includes the last good versions of broken agents: they are served, and may differ
 * from the approved ones.
 */
function findGrants(
  loaded: readonly FileLoaded[],
  lastGood: Pick<LastGood, 'recall'>,
  { tools: { groups = {} } = {} }: Config,
  entriesToApprove: EntriesToApprove,
): ToolGrant[] {
  const found = loaded.flatMap(({ agents, failed }) => [
    ...agents.map(({ agent }) => agent),
    ...failed.flatMap(({ file, agentId }) =>
      lastGood.recall(file).filter(({ id }) => agentId === null || id === agentId),
    ),
  ]);
  return found
    .map(({ id, mode, tools, toolPermission, toolApprovals, publishedTools }) => ({
      agentId: id,
      tools: entriesToApprove(tools, groups, {
        unasked: toolPermission === 'never' || Object.values(toolApprovals).includes('allow'),
      }),
      published: mode === 'tools' ? publishedTools : [],
      toolPermission,
      toolApprovals,
    }))
    .filter(({ tools, published }) => tools.length > 0 || published.length > 0);
}

/** Values of secret fields, and variables that scripts may read. */
function secretsOf(config: Config, env: Environment, variables: Environment): string[] {
  const scripts = [
    config.agents?.script,
    config.agents?.module,
    config.tools?.script,
    config.connectors?.script,
  ];
  const read = scripts.flatMap((table) => Object.values(table ?? {})).flatMap((one) => one.allow_env ?? []);
  return [...secretsIn(config, variables), ...secretVariables(read, env)];
}

function diagnoseTrust(report: TrustReport, file: string | null): Diagnostic[] {
  if (report.state !== 'untrusted' && report.state !== 'changed') return [];
  const what = report.runnables.map(({ kind, name }) => `${kind} ${name}`).join(', ');
  const why = report.state === 'changed' ? 'changed since you approved it' : 'not approved';
  return [
    diagnose('warning', 'untrusted', `${why}: the workspace would run or connect to ${what}`, {
      file,
      hint: 'Nothing of it runs until you approve it with `zoo trust`.',
    }),
  ];
}
