import { type BudgetLimit, DEFAULT_LIMITS, type TeamLimits } from '../../teams/state/team-state.ts';
import type { SlotLimits } from '../../teams/running/slots.ts';
import type { Harness } from '../../teams/harness.ts';
import { listHarnesses } from '../../teams/known-harnesses.ts';
import type { Base } from '../base/open-base.ts';
import { ownConfig } from '../base/own-config.ts';

export interface TeamSettings {
  sandbox: 'on' | 'off';
  network: 'on' | 'off';
  slots: SlotLimits;
  turn: { idleMs: number; totalMs: number };
  limits: TeamLimits;
  harnesses: ReadonlyMap<string, Harness>;
}

type Layers = Pick<Base, 'ownLayer' | 'startLayer'>;

/** Whether the user has configured teams: clients are offered the tools for them only then. */
export const isSetUp = (layers: Layers): boolean => {
  const { team, harness } = ownConfig(layers);
  return team !== undefined || harness !== undefined;
};

/** `[team]` and `[harness]` start programs. */
export function teamSettings(layers: Layers, model: Harness): TeamSettings {
  const { team = {}, harness = {} } = ownConfig(layers);
  const budget: BudgetLimit = { ...DEFAULT_LIMITS.budget, ...team.budget };
  const total = team.slots ?? 4;
  return {
    sandbox: team.sandbox ?? 'on',
    network: team.network ?? 'on',
    slots: { total, of: (name) => harness[name]?.slots ?? total },
    turn: { idleMs: (team.idle_timeout ?? 600) * 1000, totalMs: (team.turn_timeout ?? 3600) * 1000 },
    limits: {
      ...DEFAULT_LIMITS,
      budget,
      replyMs: team.reply_timeout === undefined ? DEFAULT_LIMITS.replyMs : team.reply_timeout * 1000,
    },
    harnesses: listHarnesses(harness).set(model.name, model),
  };
}
