import type { Base } from '../base/open-base.ts';
import type { A2ASettings } from '../hub.ts';

const CONTEXT_HOURS = 24;

/** Only trusted configs apply: callers send their tokens to this address, and the default agent answers for the hub. */
export function a2aSettings({ startLayer, ownLayer }: Pick<Base, 'startLayer' | 'ownLayer'>): A2ASettings {
  const layers = [startLayer, ...(ownLayer ? [ownLayer] : [])];
  const configs = layers.flatMap((layer) => layer.current().expanded?.a2a ?? []);
  const first = <T>(values: readonly (T | undefined)[]): T | undefined =>
    values.find((value) => value !== undefined);
  const hours = first(configs.map(({ context_hours }) => context_hours)) ?? CONTEXT_HOURS;
  return {
    default: first(configs.map((each) => each.default)) ?? null,
    url: first(configs.map(({ url }) => url)) ?? null,
    provider: first(configs.map(({ provider }) => provider)) ?? null,
    contextIdleMs: hours * 60 * 60 * 1_000,
    pushHosts: configs.flatMap(({ push_hosts }) => push_hosts ?? []),
  };
}
