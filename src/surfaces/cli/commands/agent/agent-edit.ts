import type { Agent } from '../../../../contract/agent.ts';
import type { ZooClient } from '../../../../contract/api.ts';
import type { EditOptions } from '../../input/edit-by-options.ts';
import { Failure, wrongUsage } from '../../output/failure.ts';
import { print } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { renderDone } from '../../render/done.ts';
import { everywhere } from './agent-changes.ts';
import { renderOrigin } from '../../render/layout.ts';
import { confirm } from '../../input/asker.ts';
import { withClient } from '../../hub-access/with-client.ts';

/** By options, or as text in the user's editor. */
export async function editAgent(call: Invocation, id: string, options: EditOptions): Promise<void> {
  const byOptions = options.set.length + options.skill.length > 0 || options.systemPromptFile !== undefined;
  if (!byOptions && !call.terminal.asker) {
    throw wrongUsage(
      'editing needs a terminal',
      'or use --set KEY=VALUE, --system-prompt-file FILE or --skill ID=on|off',
    );
  }
  const saved = await withClient(call, async (client) => {
    const agent = await editable(call, client, id);
    if (byOptions)
      return (await import('../../input/edit-by-options.ts')).editByOptions(call, client, agent, options);
    return (await import('../../input/edit-as-text.ts')).editAsText(call, client, agent);
  });
  if (saved) print(call, saved, () => renderDone('Saved', saved));
  else print(call, { changed: false }, () => 'No changes.');
}

/** An agent from a file is copied into the editor first, if the user agrees. */
async function editable(call: Invocation, client: ZooClient, id: string): Promise<Agent> {
  const agent = await client.call('getAgent', { id });
  if (agent.source === 'editor') return agent;
  const place = agent.origin ? renderOrigin(agent.origin, call.folder) : `a ${agent.source} file`;
  if (agent.source === 'lua' || agent.source === 'typescript') {
    throw new Failure(`${id} is computed by ${place}: edit that file`, { code: 'read_only' });
  }
  const { asker } = call.terminal;
  const question = `${id} is defined in ${place}. Copy it into the editor and edit the copy? ${everywhere(id)}`;
  if (asker && (await confirm(asker, question))) return client.call('cloneAgent', { id, body: { id } });
  throw new Failure(`${id} is defined in ${place}: edit that file`, {
    code: 'read_only',
    hints: [`or copy it into the editor under another id: zoo agent clone ${id} --id ${id}-copy`],
  });
}
