import { textsIn } from '../../../app/address.ts';

/** Search parameters of the tab: the open tool, and whether to go to its test. */
export interface PublishedSearch {
  tool?: string | undefined;
  test?: true | undefined;
}

export const readPublishedSearch = (search: Record<string, unknown>): PublishedSearch => ({
  ...textsIn(search, ['tool']),
  ...(search['test'] === true ? { test: true } : {}),
});
