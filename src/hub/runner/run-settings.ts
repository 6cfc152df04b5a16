import type { Config } from '../../contract/config.ts';
import type { Environment } from '../../platform/home/paths.ts';
import type { Layer } from '../../registry/layers/layer.ts';
import type { BudgetLimit } from '../../runner/budget/budget.ts';
import { listProviders, type ProviderStatus } from '../../runner/models/configured-providers.ts';
import type { RunSettings } from '../../runner/runner-options.ts';
import type { RunRetention } from '../../runner/runs/prune-runs.ts';
import type { Base } from '../base/open-base.ts';
import { ownConfig } from '../base/own-config.ts';
import { unsetUnder } from '../../platform/config/variables.ts';
import { type AppliedConfig, appliedConfigs } from '../workspaces/applied-configs.ts';
import type { View } from '../workspaces/view.ts';

/** On unless a config says otherwise. */
const DEFAULTS = {
  maxTurns: 50,
  maxOutputTokens: 8_192,
  maxSeconds: 30 * 60,
  runsPerToken: 20,
  keepDays: 30,
  keepMb: 500,
  run: { tokens: 2_000_000, usd: 5 },
  agentDay: { tokens: 20_000_000, usd: 25 },
  hubDay: { tokens: 50_000_000, usd: 50 },
};

export function providersOf(view: View, env: Environment): ProviderStatus[] {
  const configs = appliedConfigs(view);
  const named = Object.fromEntries(
    configs.toReversed().flatMap(({ config }) => Object.entries(config.providers ?? {})),
  );
  const ofWorkspace = configs
    .filter(({ own }) => !own)
    .flatMap(({ config }) => Object.keys(config.providers ?? {}));
  return [
    ...listProviders(named, env, { ofWorkspace, unusable: unusableProviders(configs) }),
    ...untrustedProviders(view, named),
  ];
}

/** An entry that needs an unset variable; a nearer config may replace it. */
function unusableProviders(configs: readonly AppliedConfig[]): Record<string, string> {
  const reasons = configs
    .toReversed()
    .flatMap(({ config, unset }) =>
      Object.keys(config.providers ?? {}).map((name): [string, string | null] => [
        name,
        unsetUnder(unset, ['providers', name]),
      ]),
    );
  const last = Object.entries(Object.fromEntries(reasons));
  return Object.fromEntries(last.flatMap(([name, reason]) => (reason === null ? [] : [[name, reason]])));
}

function untrustedProviders({ layers }: View, named: Readonly<Record<string, unknown>>): ProviderStatus[] {
  const names = layers.flatMap((layer) => {
    const { expanded, config } = layer.current();
    return expanded ? [] : Object.keys(config.config.providers ?? {});
  });
  return [...new Set(names)]
    .filter((name) => !Object.hasOwn(named, name))
    .map((name) => ({
      name,
      title: name,
      provider: null,
      missing: 'the workspace that has it is not approved: `zoo trust`',
    }));
}

type Limit = 'max_turns' | 'max_output_tokens' | 'max_seconds' | 'runs_per_token';

/** As configured, without the models of local servers. */
export function runSettings(view: View, ownLayer: Layer | null, env: Environment): RunSettings {
  const configs = appliedConfigs(view).map(({ config }) => config);
  const first = <K extends keyof NonNullable<Config['runner']>>(key: K) =>
    configs.find(({ runner }) => runner?.[key] !== undefined)?.runner?.[key];
  const { budget: own = {}, runner: ownRunner = {} } = ownLayer?.current().expanded ?? {};
  const models = first('model');
  /** A workspace may lower a limit; only the user's own config raises it. */
  const least = (key: Limit, fallback: number): number =>
    Math.min(ownRunner[key] ?? fallback, ...configs.flatMap(({ runner }) => runner?.[key] ?? []));
  const limit = (key: 'run' | 'agent_day' | 'hub_day', fallback: BudgetLimit): BudgetLimit => {
    const most = { ...fallback, ...own[key] };
    return configs.reduce((sum, { budget }) => lower(sum, budget?.[key] ?? {}), most);
  };
  return {
    providers: providersOf(view, env).flatMap(({ provider }) => provider ?? []),
    models: models === undefined ? undefined : [models].flat(),
    temperature: first('temperature'),
    effort: first('effort'),
    limits: {
      maxTurns: least('max_turns', DEFAULTS.maxTurns),
      maxOutputTokens: least('max_output_tokens', DEFAULTS.maxOutputTokens),
      wallMs: least('max_seconds', DEFAULTS.maxSeconds) * 1_000,
    },
    runsPerToken: least('runs_per_token', DEFAULTS.runsPerToken),
    runBudget: limit('run', DEFAULTS.run),
    dayLimits: {
      agentDay: limit('agent_day', DEFAULTS.agentDay),
      hubDay: limit('hub_day', DEFAULTS.hubDay),
    },
  };
}

/** Runs are removed for all workspaces alike. */
export function runRetention(base: Pick<Base, 'startLayer' | 'ownLayer'>): RunRetention {
  const { runner = {} } = ownConfig(base);
  return { keepDays: runner.keep_days ?? DEFAULTS.keepDays, keepMb: runner.keep_mb ?? DEFAULTS.keepMb };
}

function lower(a: BudgetLimit, b: BudgetLimit): BudgetLimit {
  const least = (one: number | undefined, other: number | undefined) =>
    one === undefined ? other : other === undefined ? one : Math.min(one, other);
  return { tokens: least(a.tokens, b.tokens), usd: least(a.usd, b.usd) };
}
