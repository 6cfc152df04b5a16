import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useConnection } from '../../data/connection.ts';
import { type ChatFeed, createChatFeed } from './chat-feed.ts';
import type { ChatState } from './chat-state.ts';

export interface OpenChat {
  state: ChatState | null;
  error: Error | null;
  feed: ChatFeed;
}

/** A chat as it happens, for as long as it is shown. Another chat needs another component. */
export function useChat(id: string): OpenChat {
  const [feed] = useState(() => createChatFeed(id));
  useEffect(() => feed.open(), [feed]);
  const state = useSyncExternalStore(feed.subscribe, feed.read);
  const error = useSyncExternalStore(feed.subscribe, feed.error);
  useRefreshAfterRestart(feed);
  return { state, error, feed };
}

/** A hub that was restarted may have gone on with a run, or marked it as interrupted: its rows say which. */
function useRefreshAfterRestart(feed: ChatFeed): void {
  const connection = useConnection();
  const wasLost = useRef(false);
  useEffect(() => {
    if (connection === 'lost') wasLost.current = true;
    if (connection !== 'live' || !wasLost.current) return;
    wasLost.current = false;
    void feed.refresh();
  }, [connection, feed]);
}
