import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { ZooError } from '../../../../contract/errors.ts';
import type { SavedAgent } from '../../../../contract/agent.ts';
import type { ZooClient } from '../../../../contract/api.ts';
import type { Diagnostic } from '../../../../contract/diagnostic.ts';
import { diagnose } from '../../../../platform/config/diagnose.ts';
import { formatOf, formatOfText } from '../../../../registry/agent-file/agent-format.ts';
import type { AgentFormat } from '../../../../registry/agent-file/agent-format.ts';
import { readAgents } from '../../../../registry/agent-file/read-agents.ts';
import type { ReadAgent } from '../../../../registry/agent-file/read-agents.ts';
import { isSkillFile, type SkillFile } from '../../../../registry/markdown/skill-file.ts';
import { terminalLine } from '../../../../platform/text/terminal-text.ts';
import { Failure, wrongUsage } from '../../output/failure.ts';
import { readText } from '../../input/read-text.ts';
import { errorView, print, say, warn } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { countDiagnostics, renderDiagnostics } from '../../render/diagnostics.ts';
import { renderDone } from '../../render/done.ts';
import { withClient } from '../../hub-access/with-client.ts';

export interface ImportOptions {
  format?: AgentFormat;
  as?: string;
  /** The agent that gets the skills. */
  into?: string;
  onConflict: 'fail' | 'rename' | 'replace';
}

const maxRenames = 100;

/** Imports every valid agent; the rest are diagnostics, and errors among them fail the command. */
export async function importAgents(
  call: Invocation,
  files: readonly string[],
  options: ImportOptions,
): Promise<void> {
  const found: (ReadAgent & { file: string })[] = [];
  const skills: SkillFile[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const file of (await Promise.all(files.map(filesIn))).flat()) {
    const text = await readText(call, file).catch((error: unknown) => {
      if (files.includes(file) || !(error instanceof Failure)) throw error;
      diagnostics.push(diagnose('error', 'unreadable', error.message, { file: resolve(file) }));
    });
    if (text === undefined) continue;
    const format = options.format ?? (file === '-' ? formatOfText(text) : formatOf(file));
    if (!format) throw unclearFormat(file);
    const path = file === '-' ? 'standard input' : resolve(file);
    const read = await readAgents(path, text, format);
    found.push(...read.agents.map((agent) => ({ ...agent, file: path })));
    diagnostics.push(...read.diagnostics);
    if (options.into === undefined)
      diagnostics.push(...(read.skills ?? []).map((one) => homeless(one, path)));
    else skills.push(...(read.skills ?? []));
    const problems = read.diagnostics.filter(({ severity }) => severity === 'error').length;
    if (read.agents.length + problems + (read.skills ?? []).length === 0) {
      diagnostics.push(diagnose('error', 'not-an-agent', 'no agent found in this file', { file: path }));
    }
  }
  if (options.as !== undefined && found.length > 1)
    throw wrongUsage(`--as names one agent, but ${found.length} were found`);

  const imported: SavedAgent[] = [];
  const added: string[] = [];
  await withClient(call, async (client) => {
    if (options.into !== undefined) {
      for (const skill of skills) added.push(await addSkill(client, options.into, skill));
    }
    for (const { file, input, id: own } of found) {
      const id = options.as ?? own;
      try {
        imported.push(await store(client, { id, input }, options.onConflict));
      } catch (error) {
        if (!(error instanceof ZooError)) throw error;
        const hint =
          error.code === 'already_exists' && options.onConflict === 'fail'
            ? 'Use --as ID, or --on-conflict rename or replace.'
            : null;
        const where = { file, hint, agentId: id ?? null };
        diagnostics.push(
          diagnose(
            'error',
            error.code === 'already_exists' ? 'duplicate-id' : 'invalid-value',
            error.message,
            where,
          ),
        );
      }
    }
  });
  print(call, { imported, diagnostics, ...(added.length === 0 ? {} : { skills: added }) }, () =>
    [
      ...imported.map((agent) => `${renderDone('Imported', agent)}\n`),
      ...added.map((name) => `Added the skill ${terminalLine(name)} to ${options.into}\n`),
    ].join(''),
  );
  if (!call.json) {
    for (const { id, warnings = [] } of imported) {
      for (const warning of warnings) warn(call, `${id}: ${warning}`);
    }
    say(call, renderDiagnostics(diagnostics, errorView(call)));
  }
  if (diagnostics.some(({ severity }) => severity === 'error'))
    throw new Failure(`not everything was imported: ${countDiagnostics(diagnostics)}`);
}

const unclearFormat = (file: string): Failure =>
  file === '-'
    ? wrongUsage('standard input has no agent: expected JSON, Markdown with front matter, or TOML')
    : wrongUsage(`the format of ${file} is not clear from its name`, 'add --format json, md or toml');

/** A folder stands for the agents and skills in it. */
async function filesIn(path: string): Promise<string[]> {
  if (path === '-' || !(await stat(path).catch(() => null))?.isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const inside = entries
    .filter((entry) => entry.isFile() && formatOf(entry.name) !== undefined)
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  // Files beside a SKILL.md are that skill's own.
  const skills = inside.filter(isSkillFile).map((file) => `${dirname(file)}${sep}`);
  const files = inside.filter(
    (file) => isSkillFile(file) || !skills.some((folder) => file.startsWith(folder)),
  );
  if (files.length === 0)
    throw new Failure(`no agents in ${path}`, {
      hints: ['agents are files that end in .toml, .json or .md'],
    });
  return files;
}

const homeless = ({ name }: SkillFile, file: string): Diagnostic =>
  diagnose('error', 'not-an-agent', `'${name}' is a skill, not an agent`, {
    file,
    hint: 'Name the agent that gets it: --into AGENT.',
  });

/** Also adds the skill's tools if the agent has its own list of tools. */
async function addSkill(client: ZooClient, id: string, skill: SkillFile): Promise<string> {
  const { name, description, allowedTools } = skill;
  await client.call('createSkill', { id, body: { name, description } });
  const { tools } = await client.call('getAgent', { id });
  const missing = tools === null ? [] : allowedTools.filter((tool) => !tools.includes(tool));
  if (tools !== null && missing.length > 0)
    await client.call('patchAgent', { id, body: { tools: [...tools, ...missing] } });
  return name;
}

async function store(
  client: ZooClient,
  { id, input }: ReadAgent,
  onConflict: ImportOptions['onConflict'],
): Promise<SavedAgent> {
  const create = (as: string | undefined) =>
    client.call('createAgent', { body: { ...input, ...(as === undefined ? {} : { id: as }) } });
  try {
    return await create(id);
  } catch (error) {
    if (!isTaken(error) || id === undefined || onConflict === 'fail') throw error;
    if (onConflict === 'replace') return replace(client, id, input);
  }
  for (let count = 2; count <= maxRenames; count += 1) {
    try {
      return await create(`${id}-${count}`);
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
  }
  throw new Failure(`${id}-2 to ${id}-${maxRenames} are all taken`, { hints: ['choose an id: --as ID'] });
}

const isTaken = (error: unknown): boolean => error instanceof ZooError && error.code === 'already_exists';

/** A deleted agent keeps its id, so it is undeleted before it is replaced. */
async function replace(client: ZooClient, id: string, body: ReadAgent['input']): Promise<SavedAgent> {
  try {
    return await client.call('replaceAgent', { id, body });
  } catch (error) {
    if (!(error instanceof ZooError) || error.code !== 'agent_not_found') throw error;
    await client.call('undeleteAgent', { id });
    return client.call('replaceAgent', { id, body });
  }
}
