import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { TeamMessage } from '../../../../src/contract/team.ts';
import { whenFollowed } from '../../data/connection.ts';
import { call } from '../../data/hub.ts';
import { useWorkspaceId } from '../../data/workspace.ts';

const PAGE = 1000;

/** Whether the receipt of a message can still change. */
const isSettled = ({ state, waitsForReply }: TeamMessage): boolean =>
  state === 'answered' || state === 'dead' || (state === 'read' && !waitsForReply);

/** All messages of a team, in order. Only those behind the last settled one are read again. */
export function useTeamMessages(id: string) {
  const workspace = useWorkspaceId();
  const cache = useQueryClient();
  const queryKey = ['listTeamMessages', workspace, { id }];
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      await whenFollowed();
      const known = cache.getQueryData<TeamMessage[]>(queryKey) ?? [];
      const open = known.findIndex((message) => !isSettled(message));
      const messages = open < 0 ? [...known] : known.slice(0, open);
      for (;;) {
        const after = messages.at(-1)?.seq ?? 0;
        const page = await call('listTeamMessages', { id, after, limit: PAGE }, signal);
        messages.push(...page.messages);
        if (page.messages.length < PAGE) return messages;
      }
    },
  });
}
