import type { CallContext } from '../../contract/call.ts';
import type { Database } from '../../platform/store/database.ts';
import type { AgentStore } from '../../registry/agent-store.ts';
import { completeDefinition } from '../../registry/definition.ts';
import { firstAgent } from '../../registry/templates.ts';

/** A new home gets one agent. If the user deletes it, it is not created again. */
export async function seedHome(db: Database, store: AgentStore, context: CallContext): Promise<void> {
  if (await db.one("SELECT value FROM settings WHERE key = 'seeded'")) return;
  if (!(await store.knows(firstAgent.id))) {
    const definition = completeDefinition(firstAgent.agent);
    await store.create(definition, context, { exact: firstAgent.id }).catch(async (error: unknown) => {
      // Another process has just created it.
      if (!(await store.knows(firstAgent.id))) throw error;
    });
  }
  await db.transaction((tx) =>
    tx.run("INSERT INTO settings (key, value) VALUES ('seeded', '1') ON CONFLICT (key) DO NOTHING"),
  );
}
