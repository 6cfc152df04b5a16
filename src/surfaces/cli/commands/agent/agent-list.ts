import type { AgentMode, SourceKind } from '../../../../contract/agent.ts';
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
  const isWhole = !call.json && Object.keys(options).length === 0;
  const query = { tokens: true, ...filters, ...(search === undefined ? {} : { q: search }) };
  const { agents, total, missing } = await withClient(call, (client) =>
    client.call('listAgents', { ...query, ...(isWhole ? { missing: true } : {}) }),
  );
  print(call, { agents, total }, () => renderAgentList(agents, call));
  if (call.json) return;
  call.terminal.err.write(renderDiagnostics(missing ?? [], errorView(call)));
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
