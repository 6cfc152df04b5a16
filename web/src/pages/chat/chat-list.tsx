import { Link } from '@tanstack/react-router';
import type { ChatSummary } from '../../../../src/contract/chat.ts';
import { formatAgo } from '../../kit/numbers.ts';
import { isActive } from './chat-state.ts';

interface ListProps {
  chats: readonly ChatSummary[];
  current: string | null;
}

const groups: readonly { title: string; holds: (chat: ChatSummary) => boolean }[] = [
  { title: 'Needs you', holds: ({ state }) => state === 'waiting' || state === 'interrupted' },
  { title: 'Working', holds: ({ state }) => state === 'queued' || state === 'running' },
  { title: 'Done', holds: ({ state }) => !isActive(state) && state !== 'interrupted' },
];

/** All chats: those that wait for a person first, then those at work, then the others. */
export function ChatList({ chats, current }: ListProps) {
  return (
    <div className="grid grid-cols-1 gap-4">
      {groups.map(({ title, holds }) => {
        const held = chats.filter(holds);
        return held.length === 0 ? null : (
          <section key={title} aria-label={title}>
            <h2 className="px-2 pb-1 text-xs font-medium text-soft">
              {title} <span className="text-faint tabular">{held.length}</span>
            </h2>
            <ul>
              {held.map((chat) => (
                <li key={chat.id}>
                  <Link
                    to="/chat/$id"
                    params={{ id: chat.id }}
                    aria-current={chat.id === current ? 'page' : undefined}
                    className={`block rounded-md px-2 py-1.5 hover:bg-wash ${chat.id === current ? 'bg-leaf-wash' : ''}`}
                  >
                    <span className="flex items-center gap-2">
                      <StateDot state={chat.state} />
                      <span className="truncate text-sm" title={titleOf(chat)}>
                        {titleOf(chat)}
                      </span>
                    </span>
                    <span className="block truncate pl-4 text-xs text-soft">
                      {chat.agentId}, {chat.state === 'failed' ? 'failed ' : ''}
                      {formatAgo(chat.updatedAt)}
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

export const titleOf = ({ title, agentId }: Pick<ChatSummary, 'title' | 'agentId'>): string =>
  title === '' ? `New chat with ${agentId}` : title;

const dots: Partial<Record<NonNullable<ChatSummary['state']>, string>> = {
  waiting: 'bg-amber',
  interrupted: 'bg-amber',
  running: 'bg-leaf',
  queued: 'bg-leaf',
  failed: 'bg-danger',
};

const words: Partial<Record<NonNullable<ChatSummary['state']>, string>> = {
  waiting: 'waits for you',
  interrupted: 'interrupted',
  running: 'at work',
  queued: 'queued',
  failed: 'failed',
};

export function StateDot({ state }: { state: ChatSummary['state'] }) {
  const said = state === null ? undefined : words[state];
  return (
    <span
      className={`size-2 shrink-0 rounded-full ${(state && dots[state]) ?? 'bg-line-strong'}`}
      title={said}
    >
      {said === undefined ? null : <span className="sr-only">{said}</span>}
    </span>
  );
}
