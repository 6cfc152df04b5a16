import { textsIn } from '../../app/address.ts';

/** Search parameters of the activity page. */
export interface ActivitySearch {
  agent?: string | undefined;
  tool?: string | undefined;
  client?: string | undefined;
  failed?: true | undefined;
  /** The call that is shown in full. */
  call?: number | undefined;
}

export function readActivitySearch(search: Record<string, unknown>): ActivitySearch {
  const { failed, call } = search;
  return {
    ...textsIn(search, ['agent', 'tool', 'client']),
    ...(failed === true ? { failed } : {}),
    ...(typeof call === 'number' ? { call } : {}),
  };
}
