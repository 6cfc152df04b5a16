import { Link, useParams } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { useHubQuery } from '../../data/queries.ts';
import { buttonClass } from '../../kit/button.tsx';
import { ErrorNote, Skeleton } from '../../kit/feedback.tsx';
import { usePageTitle } from '../../kit/page.tsx';
import type { RunView } from '../../runs/run-view.ts';
import { isChatMissing } from './chat-feed.ts';
import { ChatHeader } from './chat-header.tsx';
import { ChatLayout } from './chat-layout.tsx';
import { titleOf } from './chat-list.tsx';
import { isActive, lastTurn } from './chat-state.ts';
import { ChatThread } from './chat-thread.tsx';
import { Composer } from './composer.tsx';
import { openTab } from './open-tabs.ts';
import { useChat } from './use-chat.ts';
import { useReplay } from './replay.ts';

/** One chat: what was said, and the next message. */
export function ChatPage() {
  const { id } = useParams({ from: '/chat/$id' });
  useEffect(() => openTab(id), [id]);
  return (
    <ChatLayout current={id}>
      <OpenedChat key={id} id={id} />
    </ChatLayout>
  );
}

function OpenedChat({ id }: { id: string }) {
  const { state, error, feed } = useChat(id);
  usePageTitle(state ? titleOf(state.chat) : 'Chat');
  useReplay(state);
  const [sent, setSent] = useState(0);
  const onSend = useCallback(() => setSent((count) => count + 1), []);
  if (!state) {
    return (
      <div className="mx-auto max-w-2xl px-5 py-10">
        {error ? <ChatError error={error} /> : <Skeleton lines={6} />}
      </div>
    );
  }
  const { chat } = state;
  const isDeleted = isChatMissing(error);
  const { now, live } = lastTurn(state);
  const joined = live === undefined ? 0 : joinedIn(live);
  return (
    <div className="flex h-full flex-col">
      <ChatHeader chat={chat} now={now} liveUsage={live?.usage ?? null} />
      {error ? (
        <div className="px-4 pt-3">
          {isDeleted ? (
            <ChatError error={new Error('This chat was deleted in another window.')} />
          ) : (
            <ErrorNote error={error} />
          )}
        </div>
      ) : null}
      <ChatThread state={state} feed={feed} sent={sent} />
      <FormNotice chatId={id} />
      {isDeleted ? null : (
        <Composer chat={chat} feed={feed} isBusy={isActive(now)} joined={joined} onSend={onSend} />
      )}
    </div>
  );
}

/** For a chat that cannot be opened or continued. */
function ChatError({ error }: { error: Error }) {
  return (
    <ErrorNote error={error}>
      <Link to="/chat" search={{}} className={buttonClass('plain', true)}>
        New chat
      </Link>
    </ErrorNote>
  );
}

/** Tells screen readers of a form in the thread, which they do not read aloud while it grows. */
function FormNotice({ chatId }: { chatId: string }) {
  const { data } = useHubQuery('listQuestions', {});
  const isAsked = data?.questions.some(
    ({ kind, details }) => (kind === 'elicitation' || kind === 'login') && details['chatId'] === chatId,
  );
  return (
    <p role="status" aria-label="Forms" className="sr-only">
      {isAsked ? 'A form in this chat waits for you.' : ''}
    </p>
  );
}

/** How many messages a run under way has taken in. */
const joinedIn = ({ steps }: RunView): number =>
  steps.reduce((sum, { items }) => sum + items.filter(({ kind }) => kind === 'joined').length, 0);
