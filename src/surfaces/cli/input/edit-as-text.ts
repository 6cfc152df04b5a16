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
import { say } from '../invocation.ts';
import type { Invocation } from '../invocation.ts';
import { confirm } from '../output/terminal.ts';

/** Null when nothing was changed. Until it is saved, the text is in a file that outlives whatever goes wrong. */
export async function editAsText(call: Invocation, client: ZooClient, agent: Agent): Promise<Agent | null> {
  const { id, revision } = agent;
  const folder = join(zooHome(call.env), 'drafts');
  const file = join(folder, `${id}-${revision}-${process.pid}.md`);
  const before = renderMarkdown(definitionOf(agent), {
    nestMetadata: true,
    comment: `${id}, revision ${revision}. Below the second --- is its persona. Leave it as it is to change nothing.`,
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
      const saved = await save(client, agent, await parseEdited(text));
      await rm(file, { force: true });
      return saved;
    } catch (error) {
      if (!(error instanceof ZooError)) throw error;
      const again = error.code === 'invalid_arguments' && (await wantsToMend(call, error.message));
      if (!again)
        throw new Failure(error.message, {
          code: error.code,
          hints: [`your text is in ${file}`, nextStep(id, error.code)],
        });
    }
  }
}

function nextStep(id: string, code: string): string {
  if (code === 'conflict') return `see what the other change was: zoo agent diff ${id}`;
  return `put it right there, then: zoo agent import FILE --as ${id} --on-conflict replace`;
}

async function wantsToMend({ terminal, ...call }: Invocation, message: string): Promise<boolean> {
  say({ ...call, terminal }, `It cannot be saved like this:\n${message.replaceAll(/^/gm, '  ')}`);
  return terminal.asker !== null && confirm(terminal.asker, 'Edit it again?', true);
}

/** Space around a persona is trimmed for editing: whoever did not touch it has not changed it. */
async function save(client: ZooClient, agent: Agent, input: AgentInput): Promise<Agent> {
  const untouched = input.systemPrompt === agent.systemPrompt.trim();
  const body = {
    ...input,
    ...(untouched ? { systemPrompt: agent.systemPrompt } : {}),
    revision: agent.revision,
  };
  return client.call('replaceAgent', { id: agent.id, body });
}

async function runEditor(env: Environment, file: string): Promise<void> {
  const windows = process.platform === 'win32';
  const editor = env['VISUAL'] || env['EDITOR'] || (windows ? 'notepad' : 'vi');
  // By a shell, since EDITOR may hold arguments (`code --wait`); the file's name is no part of its text.
  const [command, args, options] = windows
    ? ([`${editor} "${file}"`, [], { shell: true }] as const)
    : (['/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], {}] as const);
  const code = await new Promise<number | null>((resolve, reject) => {
    const child = spawn(command, args, { ...options, env: { ...env }, stdio: 'inherit' });
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0)
    throw new Failure(`the editor (${editor}) ended with an error`, {
      hints: ['set VISUAL or EDITOR', `the text is in ${file}`],
    });
}
