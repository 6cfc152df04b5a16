import type { Config } from '../../contract/config.ts';
import type { Base } from './open-base.ts';

/**
 * The config of the user, or the one that the hub was started with in its place. Settings of the whole hub that start
 * programs or remove data are read from it only: a workspace must not decide them.
 */
export const ownConfig = ({ ownLayer, startLayer }: Pick<Base, 'ownLayer' | 'startLayer'>): Partial<Config> =>
  (ownLayer ?? startLayer).current().expanded ?? {};
