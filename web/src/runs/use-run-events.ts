import { useEffect, useRef, useState } from 'react';
import type { Run, RunEvent } from '../../../src/contract/run.ts';
import { follow } from '../data/hub.ts';
import { perFrame } from './per-frame.ts';
import { addRunEvent, isOver, NEW_RUN, type RunView } from './run-view.ts';

const RETRY_MS = 1000;

/** A run as its events tell it, live while it is under way. Another run needs another component. */
export function useRunEvents(run: Run): RunView {
  const { id } = run;
  // Null while it is under way. A short run that is resumed may have ended again before the page sees that.
  const ending = isOver(run) ? `${run.state} ${run.steps} ${run.endedAt}` : null;
  const [view, setView] = useState(NEW_RUN);
  /** The last event that was applied: a run that is resumed goes on behind it. */
  const last = useRef(0);
  useEffect(() => {
    const leaving = new AbortController();
    const add = (events: readonly RunEvent[]): void => setView((now) => events.reduce(addRunEvent, now));
    void readEvents({ id, isUnderWay: ending === null, last, signal: leaving.signal }, add);
    return () => leaving.abort();
  }, [id, ending]);
  return view;
}

interface Reading {
  id: string;
  isUnderWay: boolean;
  last: { current: number };
  signal: AbortSignal;
}

/** Until the run ends. A hub that is restarted goes on telling of a run that is under way. */
async function readEvents(
  { id, isUnderWay, last, signal }: Reading,
  onEvents: (events: readonly RunEvent[]) => void,
): Promise<void> {
  const take = perFrame(onEvents);
  while (!signal.aborted) {
    try {
      for await (const { seq, event } of follow('followRun', { id, after: last.current }, signal)) {
        if (signal.aborted) return;
        last.current = seq;
        take(event);
      }
      return;
    } catch {
      if (!isUnderWay) return;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}
