import type { AgentMode, SourceKind } from '../../../../contract/agent.ts';
import type { Diagnostic, DiagnosticCode } from '../../../../contract/diagnostic.ts';
import { errorView, print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { renderAgentList } from '../../render/agent-list.ts';
import { renderDiagnostics } from '../../render/diagnostics.ts';
import { withClient } from '../../hub-access/with-client.ts';

export interface ListOptions {
  source?: SourceKind;
  mode?: AgentMode;
  tool?: string;
  search?: string;
  deleted?: true;
  limit?: number;
}

export async function listAgents(call: Invocation, options: ListOptions): Promise<void> {
  const { search, ...filters } = options;
  const { agents, total, missing } = await withClient(call, async (client) => {
    const query = { tokens: true, ...filters, ...(search === undefined ? {} : { q: search }) };
    const listed = await client.call('listAgents', query);
    const isWhole = !call.json && Object.keys(options).length === 0;
    const { diagnostics } = !isWhole ? { diagnostics: [] } : await client.call('listDiagnostics', {});
    const ids = new Set(listed.agents.map(({ id }) => id));
    return { ...listed, missing: diagnostics.filter((one) => hidesAgent(one, ids)) };
  });
  print(call, { agents, total }, () => renderAgentList(agents, call));
  if (call.json) return;
  call.terminal.err.write(renderDiagnostics(missing, errorView(call)));
  if (total > agents.length) say(call, `… and ${total - agents.length} more`);
  if (agents.length > 0) return;
  if (Object.keys(options).length > 0)
    say(call, options.deleted ? 'No deleted agents.' : 'No matching agents.');
  else
    say(
      call,
      'No agents yet. `zoo agent create` creates one, `zoo template list` lists templates to start from.',
    );
}

/** Errors that may hide an agent whose id nobody can tell. */
const OF_UNKNOWN_AGENTS = new Set<DiagnosticCode>([
  'unreadable',
  'syntax',
  'invalid-value',
  'reserved-id',
  'not-an-agent',
]);

/** Agents with an earlier version are listed with their error; these have none, or are in a config that is broken. */
function hidesAgent({ severity, code, agentId, file }: Diagnostic, listed: ReadonlySet<string>): boolean {
  if (severity !== 'error') return false;
  if (agentId === null) return OF_UNKNOWN_AGENTS.has(code);
  return !listed.has(agentId) || (code === 'syntax' && file?.endsWith('.toml') === true);
}
