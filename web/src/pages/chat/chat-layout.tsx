import { Link } from '@tanstack/react-router';
import { MessageSquarePlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useHubQuery, useKept } from '../../data/queries.ts';
import { buttonClass } from '../../kit/button.tsx';
import { ChatList } from './chat-list.tsx';
import { ChatTabs } from './chat-tabs.tsx';
import { WaitingBar } from './waiting-bar.tsx';

interface LayoutProps {
  /** The chat that is open; null on the page of a new one. */
  current: string | null;
  children: ReactNode;
}

/** Chats on the left, open ones as tabs above, one of them below. */
export function ChatLayout({ current, children }: LayoutProps) {
  const { data } = useHubQuery('listChats', { limit: 200 });
  const chats = useKept(data)?.chats ?? [];
  return (
    <div data-fills="always" className="flex min-h-0 flex-1">
      <aside
        aria-label="Chats"
        className={`w-64 shrink-0 flex-col gap-3 overflow-y-auto border-r border-line px-3 py-4 max-lg:hidden lg:flex`}
      >
        <Link to="/chat" search={{}} className={buttonClass('plain')}>
          <MessageSquarePlus />
          New chat
        </Link>
        <ChatList chats={chats} current={current} />
      </aside>
      <div className="flex min-w-0 flex-1 flex-col">
        <ChatTabs chats={chats} current={current} />
        <WaitingBar chats={chats} />
        <div className="min-h-0 flex-1">{children}</div>
      </div>
    </div>
  );
}
