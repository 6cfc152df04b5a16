import { useQuery } from '@tanstack/react-query';
import type { ChatTurn } from '../../../../src/contract/chat.ts';
import { follow } from '../../data/hub.ts';
import { addRunEvent, NEW_RUN, type RunView } from '../../runs/run-view.ts';
import { hasDetails, isActive, storedRun } from './chat-state.ts';

/** A turn that has ended: from its row, and from its events where those tell more. */
export function useStoredRun(turn: ChatTurn, isWanted: boolean): RunView {
  const { data } = useQuery({
    queryKey: ['runEvents', turn.runId, turn.state],
    queryFn: async ({ signal }) => {
      let run = NEW_RUN;
      for await (const { event } of follow('followRun', { id: turn.runId }, signal))
        run = addRunEvent(run, event);
      return run;
    },
    enabled: isWanted && hasDetails(turn) && !isActive(turn.state),
    staleTime: Infinity,
  });
  // A run that was cut off has no last event: its row knows how it ended.
  return data ? { ...data, state: turn.state, error: data.error ?? turn.error } : storedRun(turn);
}
