import { resolve } from 'node:path';
import { ZooError } from '../../../../contract/errors.ts';
import type { Agent } from '../../../../contract/agent.ts';
import type { ZooClient } from '../../../../contract/api.ts';
import type { Diagnostic } from '../../../../contract/diagnostic.ts';
import { diagnose } from '../../../../platform/config/diagnose.ts';
import { formatOf } from '../../agent-file/format.ts';
import type { AgentFormat } from '../../agent-file/format.ts';
import { readAgents } from '../../agent-file/read.ts';
import type { ReadAgent } from '../../agent-file/read.ts';
import { Failure, wrongUsage } from '../../output/failure.ts';
import { readText } from '../../input/read-text.ts';
import { print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { countDiagnostics, renderDiagnostics } from '../../render/diagnostics.ts';
import { renderDone } from '../../render/done.ts';
import { withClient } from '../../hub-access/with-client.ts';

export interface ImportOptions {
  format?: AgentFormat;
  as?: string;
  onConflict: 'fail' | 'rename' | 'replace';
}

const maxRenames = 100;

/** Takes what can be taken; the rest is a diagnostic and, if it was an agent, a failure in the end. */
export async function importAgents(
  call: Invocation,
  files: readonly string[],
  options: ImportOptions,
): Promise<void> {
  const found: (ReadAgent & { file: string })[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const file of files) {
    const format = options.format ?? formatOf(file);
    if (!format)
      throw wrongUsage(
        `how ${file} is to be read is not clear from its name`,
        'say it: --format json|md|toml',
      );
    const path = file === '-' ? 'standard input' : resolve(file);
    const read = await readAgents(path, await readText(call, file), format);
    found.push(...read.agents.map((agent) => ({ ...agent, file: path })));
    diagnostics.push(...read.diagnostics);
    if (read.agents.length + read.diagnostics.length === 0) {
      diagnostics.push(diagnose('error', 'not-an-agent', 'there is no agent in it', { file: path }));
    }
  }
  if (options.as !== undefined && found.length > 1)
    throw wrongUsage('--as is for one agent', `there are ${found.length}`);

  const imported: Agent[] = [];
  await withClient(call, async (client) => {
    for (const { file, input, id: own } of found) {
      const id = options.as ?? own;
      try {
        imported.push(await store(client, { id, input }, options.onConflict));
      } catch (error) {
        if (!(error instanceof ZooError)) throw error;
        const hint =
          error.code === 'already_exists'
            ? 'Use --as ID, --on-conflict rename, or --on-conflict replace.'
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
  print(call, { imported, diagnostics }, () =>
    imported.map((agent) => `${renderDone('Imported', agent)}\n`).join(''),
  );
  if (!call.json)
    say(
      call,
      renderDiagnostics(diagnostics, call.folder, (_style, text) => text),
    );
  if (diagnostics.some(({ severity }) => severity === 'error'))
    throw new Failure(countDiagnostics(diagnostics));
}

async function store(
  client: ZooClient,
  { id, input }: ReadAgent,
  onConflict: ImportOptions['onConflict'],
): Promise<Agent> {
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

/** A deleted agent holds its id, too: it comes back as what replaces it. */
async function replace(client: ZooClient, id: string, body: ReadAgent['input']): Promise<Agent> {
  try {
    return await client.call('replaceAgent', { id, body });
  } catch (error) {
    if (!(error instanceof ZooError) || error.code !== 'agent_not_found') throw error;
    await client.call('undeleteAgent', { id });
    return client.call('replaceAgent', { id, body });
  }
}
