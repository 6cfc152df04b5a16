import { textsIn } from '../../../app/address.ts';

/** Search parameters of the tab: the open tool. */
export interface PublishedSearch {
  tool?: string | undefined;
}

export const readPublishedSearch = (search: Record<string, unknown>): PublishedSearch =>
  textsIn(search, ['tool']);
