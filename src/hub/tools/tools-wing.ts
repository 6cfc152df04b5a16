import type { Database } from '../../platform/store/database.ts';
import type { Questions } from '../../platform/store/questions.ts';
import { createStoredCounts } from '../../platform/store/stored-counts.ts';
import type { SecretMask } from '../../platform/text/secret-mask.ts';
import { createResources } from '../../platform/processes/resources.ts';
import { createActivity } from '../../tools/activity/activity.ts';
import type { AgentDirectory } from '../agents/agent-directory.ts';
import type { Wing } from '../wing.ts';
import { implementScope } from './implement-scope.ts';
import { implementTools } from './implement-tools.ts';
import { createPrices, type Prices } from './prices.ts';
import { type AgentScopes, createAgentScopes } from './scopes.ts';
import { createToolCalls, type ToolCalls } from './tool-calls.ts';
import { diagnoseTools } from './tool-diagnostics.ts';

export interface ToolsWing extends Wing<'tools' | 'scope' | 'activity'> {
  scopes: AgentScopes;
  prices: Prices;
  calls: ToolCalls;
}

export interface ToolsWingParts {
  db: Database;
  now: () => Date;
  directory: AgentDirectory;
  mask: SecretMask;
  serving: boolean;
  questions: Questions;
  /** How many days calls are kept in the activity log. */
  activityDays: () => number;
  log(message: string, error: unknown): void;
}

/** The catalogue, scopes and tool calls. Later wings add their tools. */
export function createToolsWing(parts: ToolsWingParts): ToolsWing {
  const { db, now, directory, mask, serving, questions, activityDays, log } = parts;
  const opened = createResources();
  const counts = opened.add(createStoredCounts(db, now), (each) => each.close());
  const activity = opened.add(
    createActivity({
      db,
      now,
      days: activityDays,
      prunes: serving,
      secretsOf: async () => mask.values(),
      log,
    }),
    (each) => each.close(),
  );
  const scopes = createAgentScopes(directory);
  const prices = createPrices({ counts, scopes, get: (id) => directory.store.get(id) });
  const calls = createToolCalls(directory, scopes, activity);
  return {
    scopes,
    prices,
    calls,
    operations: {
      ...implementTools({ directory, scopes, prices, calls, questions }),
      ...implementScope({ directory, scopes, prices }),
      listActivity: async (filter) => ({ calls: await activity.list(filter) }),
    },
    diagnostics: async (view) => [
      ...(await scopes.diagnostics(view)),
      ...(await diagnoseTools(view, scopes)),
      ...activity.diagnostics(),
    ],
    close: opened.close,
  };
}
