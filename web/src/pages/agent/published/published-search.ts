import { textsIn } from '../../../app/address.ts';

/** What the address of the tab says: the tool that is open. */
export interface PublishedSearch {
  tool?: string | undefined;
}

export const readPublishedSearch = (search: Record<string, unknown>): PublishedSearch =>
  textsIn(search, ['tool']);
