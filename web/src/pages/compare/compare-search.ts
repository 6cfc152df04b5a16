import { textsIn } from '../../app/address.ts';

/** One column as it stands in the address: `AGENT`, `AGENT@REVISION`, and a model behind a space. */
export interface Contestant {
  agent: string;
  revision: number | null;
  model: string | null;
}

export interface CompareSearch {
  a?: string | undefined;
  b?: string | undefined;
  c?: string | undefined;
}

export const readCompareSearch = (search: Record<string, unknown>): CompareSearch =>
  textsIn(search, ['a', 'b', 'c']);

export function readContestant(text: string): Contestant {
  const [who = '', model = null] = text.split(' ', 2);
  const [agent = '', revision] = who.split('@', 2);
  return { agent, revision: revision === undefined ? null : Number(revision) || null, model };
}

export const writeContestant = ({ agent, revision, model }: Contestant): string =>
  `${agent}${revision === null ? '' : `@${revision}`}${model === null ? '' : ` ${model}`}`;
