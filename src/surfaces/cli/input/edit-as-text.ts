import { spawn } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ZooError } from '../../../contract/errors.ts';
import type { Agent, AgentInput } from '../../../contract/agent.ts';
import type { ZooClient } from '../../../contract/api.ts';
import type { Environment } from '../../../platform/home/paths.ts';
import { zooHome } from '../../../platform/home/paths.ts';
import { definitionOf } from '../../../registry/definition.ts';
import { parseEdited, renderMarkdown } from '../agent-file/markdown.ts';
import { Failure } from '../output/failure.ts';
import { say, warn } from '../invocation.ts';
import type { Invocation } from '../invocation.ts';
import { confirm } from '../input/asker.ts';

/** Null if nothing changed. The text stays in a file until it is saved, so that nothing is lost. */
export async function editAsText(call: Invocation, client: ZooClient, agent: Agent): Promise<Agent | null> {
  const { id, revision } = agent;
  const folder = join(zooHome(call.env), 'drafts');
  const file = join(folder, `${id}-${revision}-${process.pid}.md`);
  const before = renderMarkdown(definitionOf(agent), {
    editing: true,
    comment: `${id}, revision ${revision}. The persona is below the second ---. Close the editor without changes to cancel.`,
  });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(file, before, { mode: 0o600 });
  for (;;) {
    await runEditor(call.env, file);
    const text = await readFile(file, 'utf8');
    if (text === before) {
      await rm(file, { force: true });
      return null;
    }
    try {
      const saved = await save(call, client, agent, await parseEdited(text));
      await rm(file, { force: true });
      return saved;
    } catch (error) {
      if (!(error instanceof ZooError)) throw error;
      const again = error.code === 'invalid_arguments' && (await wantsToFix(call, error.message));
      if (!again)
        throw new Failure(error.message, {
          code: error.code,
          hints: [`your text is kept in ${file}`, nextStep(id, error.code)],
        });
    }
  }
}

function nextStep(id: string, code: string): string {
  if (code === 'conflict') return `show the other change: zoo agent diff ${id}`;
  return `fix it there, then run: zoo agent import FILE --as ${id} --on-conflict replace`;
}

async function wantsToFix({ terminal, ...call }: Invocation, message: string): Promise<boolean> {
  say({ ...call, terminal }, `It is not valid:\n${message.replaceAll(/^/gm, '  ')}`);
  return terminal.asker !== null && confirm(terminal.asker, 'Edit it again?', true);
}

/** The persona is trimmed for editing; an untouched one keeps its original spaces. */
async function save(call: Invocation, client: ZooClient, agent: Agent, input: AgentInput): Promise<Agent> {
  const untouched = input.systemPrompt === agent.systemPrompt.trim();
  const body = {
    ...input,
    ...(untouched ? { systemPrompt: agent.systemPrompt } : {}),
    revision: agent.revision,
  };
  const { warnings = [], ...saved } = await client.call('replaceAgent', { id: agent.id, body });
  for (const warning of warnings) if (!call.json) warn(call, warning);
  return saved;
}

async function runEditor(env: Environment, file: string): Promise<void> {
  const windows = process.platform === 'win32';
  const editor = env['VISUAL'] || env['EDITOR'] || (windows ? 'notepad' : 'vi');
  // Through a shell, since EDITOR may hold arguments (`code --wait`); the file name is passed separately.
  const [command, args, options] = windows
    ? ([`${editor} "${file}"`, [], { shell: true }] as const)
    : (['/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], {}] as const);
  const code = await new Promise<number | null>((resolve, reject) => {
    const child = spawn(command, args, { ...options, env: { ...env }, stdio: 'inherit' });
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0)
    throw new Failure(`the editor (${editor}) failed`, {
      hints: ['set VISUAL or EDITOR', `the text is kept in ${file}`],
    });
}
