import { textsIn } from '../../app/address.ts';

/** What the address of a team says. */
interface TeamSearch {
  /** The member that is shown in full. */
  member?: string | undefined;
}

export const readTeamSearch = (search: Record<string, unknown>): TeamSearch => textsIn(search, ['member']);
