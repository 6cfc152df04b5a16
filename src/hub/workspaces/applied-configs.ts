import type { Config } from '../../contract/config.ts';
import type { UnsetVariable } from '../../platform/config/variables.ts';
import type { View } from './view.ts';

export interface AppliedConfig {
  config: Config;
  own: boolean;
  unset: readonly UnsetVariable[];
}

/**
 * The configs that apply, in the order of their layers. Untrusted ones connect to nothing; one that asks for no
 * approval has no providers, but its agents run, and with its settings.
 */
export function appliedConfigs({ layers }: Pick<View, 'layers'>): AppliedConfig[] {
  return layers.flatMap((layer) => {
    const { config, expanded, trust, unset } = layer.current();
    const applied = trust.state === 'nothing-to-trust' ? config.config : expanded;
    return applied ? [{ config: applied, own: trust.state === 'own', unset }] : [];
  });
}
