import { Link, useNavigate } from '@tanstack/react-router';
import { Plus, X } from 'lucide-react';
import type { ChatSummary } from '../../../../src/contract/chat.ts';
import { StateDot, titleOf } from './chat-list.tsx';
import { closeTab, useTabs } from './open-tabs.ts';

interface TabsProps {
  chats: readonly ChatSummary[];
  current: string | null;
}

/** Open chats. They are still there after a reload. */
export function ChatTabs({ chats, current }: TabsProps) {
  const tabs = useTabs();
  const navigate = useNavigate();
  const close = (id: string): void => {
    const next = closeTab(id);
    if (id !== current) return;
    void (next === undefined
      ? navigate({ to: '/chat', search: {} })
      : navigate({ to: '/chat/$id', params: { id: next } }));
  };
  return (
    <nav
      aria-label="Open chats"
      className="flex shrink-0 items-stretch overflow-x-auto border-b border-line bg-paper"
    >
      {tabs.map((id) => {
        const chat = chats.find((each) => each.id === id);
        const title = chat ? titleOf(chat) : 'Chat';
        return (
          <span
            key={id}
            className={`flex max-w-52 min-w-28 items-center border-r border-line ${id === current ? 'bg-sheet shadow-[inset_0_-2px_0_var(--leaf)]' : 'text-soft'}`}
          >
            <Link
              to="/chat/$id"
              params={{ id }}
              title={title}
              aria-current={id === current ? 'page' : undefined}
              className="flex min-w-0 flex-1 items-center gap-2 py-2 pl-3 text-sm -outline-offset-2 hover:text-ink"
            >
              <StateDot state={chat?.state ?? null} />
              <span className="truncate">{title}</span>
            </Link>
            <button
              type="button"
              aria-label={`Close ${title}`}
              onClick={() => close(id)}
              className="mx-1 grid size-6 shrink-0 place-items-center rounded-sm text-faint -outline-offset-2 hover:bg-wash hover:text-ink"
            >
              <X className="size-3.5" />
            </button>
          </span>
        );
      })}
      <Link
        to="/chat"
        search={{}}
        aria-current={current === null ? 'page' : undefined}
        className={`flex items-center gap-1.5 px-3 py-2 text-sm whitespace-nowrap -outline-offset-2 hover:text-ink ${current === null ? 'bg-sheet' : 'text-soft'}`}
      >
        <Plus className="size-4" />
        New chat
      </Link>
    </nav>
  );
}
