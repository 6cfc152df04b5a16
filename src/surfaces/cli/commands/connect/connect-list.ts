import type { ClientFile } from '../../../../platform/clients/connections.ts';
import { isInstalled, loadClientFiles } from '../../../../platform/clients/connections.ts';
import { acpEditors } from '../../../../platform/clients/acp-editors.ts';
import { clients } from '../../../../platform/clients/index.ts';
import { placeOf } from '../../../../platform/clients/own-launch.ts';
import { withClient } from '../../hub-access/with-client.ts';
import { print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { shortPath } from '../../render/layout.ts';
import { type Cell, renderTable } from '../../render/table.ts';

/** Every client: whether it is installed, and what it is connected to. */
export async function listClients(call: Invocation): Promise<void> {
  const place = placeOf(call);
  const found = await Promise.all(
    [...clients, ...acpEditors].map(async (client) => ({
      client,
      installed: await isInstalled(client, place),
      files: await loadClientFiles(client, place),
    })),
  );
  const data = found.map(({ client, installed, files }) => ({
    id: client.id,
    title: client.title,
    protocol: client.protocol ?? 'mcp',
    installed,
    files: files.map(({ scope, file, connections, problem }) => ({
      scope,
      file,
      connections: connections.map(({ name, agent, off }) => ({ name, agent: agent ?? null, off })),
      problem: problem && { line: problem.line, message: problem.message },
    })),
  }));
  const rows = found.map(({ client, installed, files }): Cell[] => {
    const used = files.filter(({ connections, problem }) => connections.length > 0 || problem);
    return [
      { text: client.protocol === 'acp' ? `${client.id} --acp` : client.id, style: 'bold' },
      { text: installed ? 'installed' : 'not found', style: installed ? null : 'dim' },
      used.map(describe).join('; ') || 'not connected',
      (used.length > 0 ? used : files.slice(0, 1))
        .map(({ file }) => shortPath(file, call.folder, place.home))
        .join(', '),
    ];
  });
  const suggested = await suggestedAgents(call);
  print(call, { clients: data, suggested }, () =>
    renderTable(rows, call, {
      columns: [{ keep: true }, {}, { min: 14, max: Infinity }, { min: 14, max: Infinity }],
    }).join('\n'),
  );
  if (call.json) return;
  say(call, '\nConnect one: zoo connect CLIENT [--agent ID] [--scope project]');
  if (suggested.length > 0) say(call, `Suggested in this workspace: --agent ${suggested.join(', --agent ')}`);
}

/** `default_agent` and `suggested` of the workspace, which the hub lists first. */
async function suggestedAgents(call: Invocation): Promise<string[]> {
  const { agents } = await withClient(call, (client) => client.call('listAgents', {}));
  return agents.filter(({ featured }) => featured !== undefined).map(({ id }) => id);
}

function describe({ scope, connections, problem }: ClientFile): string {
  if (problem?.line === null) return `${scope}: ${problem.message}`;
  if (problem) return `${scope}: broken at line ${problem.line}`;
  const parts = connections.map(({ agent, off }) => (agent ?? 'the hub') + (off ? ' (disabled)' : ''));
  return `${scope}: ${parts.join(', ')}`;
}
