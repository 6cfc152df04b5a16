import type { Implements } from '../../contract/api.ts';
import type { CallContext } from '../../contract/call.ts';
import type { Database, Transaction } from '../../platform/store/database.ts';
import { recordEvent } from '../../platform/store/events.ts';
import { once } from '../../platform/store/once.ts';
import type { AgentDirectory } from './agent-directory.ts';

export function implementCurrent(
  db: Database,
  directory: AgentDirectory,
  now: () => Date,
): Implements<'current'> {
  return {
    getCurrent: async (_input, context) => ({ agentId: await currentAgent(db, context) }),

    async setCurrent({ body: { agentId } }, context) {
      if (agentId !== null) await directory.find(agentId, context);
      const at = now().toISOString();
      const write = async (tx: Transaction) => {
        await tx.run('DELETE FROM current_agents WHERE workspace = ?', [context.workspace]);
        if (agentId !== null) {
          await tx.run('INSERT INTO current_agents (workspace, agent_id) VALUES (?, ?)', [
            context.workspace,
            agentId,
          ]);
        }
        const event = { type: 'current-changed', workspace: context.workspace, agentId } as const;
        await recordEvent(tx, event, at);
        return { agentId };
      };
      return db.transaction((tx) => once(tx, context, at, () => write(tx)));
    },
  };
}

export async function currentAgent(
  db: Database,
  { workspace }: Pick<CallContext, 'workspace'>,
): Promise<string | null> {
  const row = await db.one('SELECT agent_id FROM current_agents WHERE workspace = ?', [workspace]);
  return row ? String(row.agent_id) : null;
}
