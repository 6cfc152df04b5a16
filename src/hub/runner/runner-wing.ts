import { closeEach } from '../../platform/processes/resources.ts';
import type { Runner } from '../../runner/runner.ts';
import type { Chats } from '../../runner/chats/chats.ts';
import { pruneRuns } from '../../runner/runs/prune-runs.ts';
import type { AgentScopes } from '../tools/scopes.ts';
import type { Wing } from '../wing.ts';
import { type ClientTools, createClientTools } from './client-tools.ts';
import { implementChats } from './implement-chats.ts';
import { implementRuns } from './implement-runs.ts';
import { openRunner, type RunnerParts } from './open-runner.ts';
import { runRetention } from './run-settings.ts';

const RECOVER_MS = 30_000;
const PRUNE_MS = 60 * 60 * 1000;

export interface RunnerWing extends Wing<'runs' | 'chats'> {
  /** For the rooms that start runs. */
  runner: Runner;
  chats: Chats;
  clientTools: ClientTools;
  isPaused: () => Promise<boolean>;
  /** Cancels the runs of a token. */
  tokenRevoked: (tokenId: string) => void;
}

/** Runs and chats: agents executed against a model. */
export function createRunnerWing(parts: RunnerParts & { scopes: AgentScopes }): RunnerWing {
  const { log, serving } = parts;
  const clientTools = createClientTools(parts);
  const open = openRunner({ ...parts, calls: clientTools.extend(parts.calls) });
  const { runner, chats } = open;
  let recovered: Promise<void> | null = null;
  const recover = (): void => {
    recovered = runner.recover().catch((error: unknown) => log('runs could not be resumed', error));
  };
  // A command without a hub takes over only the runs that it follows.
  if (serving) recover();
  // Also picks up runs of killed commands, once their leases expire.
  const sweep = serving ? setInterval(recover, RECOVER_MS).unref() : undefined;
  let pruned: Promise<unknown> | null = null;
  const prune = (): void => {
    pruned = pruneRuns(parts.db, parts.now(), runRetention(parts)).catch((error: unknown) =>
      log('old runs could not be removed', error),
    );
  };
  if (serving) prune();
  const pruning = serving ? setInterval(prune, PRUNE_MS).unref() : undefined;
  let lastAt = 0;

  return {
    runner,
    chats,
    clientTools,
    isPaused: open.pause.isPaused,
    clientGone: clientTools.gone,
    tokenRevoked(tokenId) {
      runner
        .revoke(tokenId)
        .catch((error: unknown) => log('runs of a revoked token could not be cancelled', error));
    },
    operations: { ...implementRuns(open, parts), ...implementChats(chats) },
    use() {
      const count = open.liveCount();
      if (count > 0) lastAt = performance.now();
      return { open: count, lastAt };
    },
    drain: runner.drain,
    async close() {
      clearInterval(sweep);
      clearInterval(pruning);
      await closeEach([() => recovered, () => pruned, runner.close, clientTools.close]);
    },
  };
}
