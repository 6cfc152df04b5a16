import { useNavigate } from '@tanstack/react-router';
import { Download, FlaskConical, History, PencilLine, Trash2, Wallet } from 'lucide-react';
import { memo, useMemo, useState } from 'react';
import type { Chat, ChatTurn } from '../../../../src/contract/chat.ts';
import { addUsage, NO_USAGE, type Usage } from '../../../../src/contract/run.ts';
import { Creature } from '../../creature/creature.tsx';
import { call } from '../../data/hub.ts';
import { useHubQuery } from '../../data/queries.ts';
import { IconButton } from '../../kit/button.tsx';
import { Badge, ErrorNote } from '../../kit/feedback.tsx';
import { Confirm, Tooltip } from '../../kit/floating.tsx';
import { Menu, type MenuItem } from '../../kit/menus/menu.tsx';
import { formatUsd } from '../../kit/money.ts';
import { formatNumber } from '../../kit/numbers.ts';
import { saveFile } from '../../kit/save-file.ts';
import { titleOf } from './chat-list.tsx';
import { isActive } from './chat-state.ts';
import { leftToReplay, startReplay } from './replay.ts';
import { closeTab } from './open-tabs.ts';

interface HeaderProps {
  chat: Chat;
  /** The state of the newest turn. */
  now: ChatTurn['state'] | null;
  /** What the newest turn has used so far, where it was seen live. */
  liveUsage: Usage | null;
}

/** Whose chat it is, what it may do, and what it has cost. It is not drawn again with every piece of an answer. */
export const ChatHeader = memo(function ChatHeader({ chat, now, liveUsage }: HeaderProps) {
  const { data: agents } = useHubQuery('listAgents', {});
  const agent = agents?.agents.find(({ id }) => id === chat.agentId);
  const mood =
    now === 'waiting' ? 'waiting' : isActive(now) ? 'working' : now === 'failed' ? 'unwell' : 'awake';
  const left = leftToReplay(chat.id);
  return (
    <div
      role="group"
      aria-label="About this chat"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2"
    >
      <Creature seed={agent?.appearanceSeed ?? chat.agentId} size={32} mood={mood} />
      <div className="min-w-0 flex-1 basis-48">
        <h1 className="truncate font-serif text-lg" title={titleOf(chat)}>
          {titleOf(chat)}
        </h1>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-soft">
          <span>{agent?.name ?? chat.agentId}</span>
          {chat.isDraft ? (
            <Badge tone="amber" icon={<PencilLine />}>
              Unsaved draft
            </Badge>
          ) : null}
          {chat.revision === null ? null : <Badge icon={<History />}>Revision {chat.revision}</Badge>}
          {chat.title.startsWith('test-') ? <Badge icon={<FlaskConical />}>Test</Badge> : null}
          {chat.headless ? <Badge>Headless: nobody is asked</Badge> : <Badge>With approvals</Badge>}
          {left > 0 ? <Badge tone="amber">Replay: {left} left</Badge> : null}
        </p>
      </div>
      <Cost chat={chat} liveUsage={liveUsage} />
      <ChatMenu chat={chat} />
    </div>
  );
});

/** Tokens and cost so far, and what is left of today's budget. */
function Cost({ chat, liveUsage }: Pick<HeaderProps, 'chat' | 'liveUsage'>) {
  const { data } = useHubQuery('getSpending', {});
  const before = useMemo(
    () => chat.history.slice(0, -1).reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE),
    [chat],
  );
  const total = addUsage(before, liveUsage ?? chat.history.at(-1)?.usage ?? NO_USAGE);
  const spent = data?.agents.find(({ agentId }) => agentId === chat.agentId) ?? { tokens: 0, usd: 0 };
  const limit = data?.limits.agentDay;
  const leftUsd = limit?.usd === undefined ? null : Math.max(0, limit.usd - spent.usd);
  const leftTokens = limit?.tokens === undefined ? null : Math.max(0, limit.tokens - spent.tokens);
  return (
    <div
      className="text-right text-xs text-soft tabular max-sm:order-last max-sm:flex max-sm:basis-full max-sm:flex-wrap max-sm:gap-x-3"
      data-testid="chat-cost"
    >
      <p>
        {formatNumber(total.inputTokens + total.outputTokens)} tokens · {formatUsd(total.usd)} so far
      </p>
      {limit === undefined ? null : (
        <Tooltip
          text={`Of this agent, today. Spent: ${formatNumber(spent.tokens)} tokens, ${formatUsd(spent.usd)}.`}
        >
          <p className="inline-flex items-center gap-1">
            <Wallet className="size-3" />
            {[
              leftTokens === null ? null : `${formatNumber(leftTokens)} tokens`,
              leftUsd === null ? null : formatUsd(leftUsd),
            ]
              .filter((part) => part !== null)
              .join(', ')}{' '}
            left today
          </p>
        </Tooltip>
      )}
    </div>
  );
}

function ChatMenu({ chat }: { chat: Chat }) {
  const navigate = useNavigate();
  const [isErasing, setErasing] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const { data } = useHubQuery('agentHistory', { id: chat.agentId });
  const replay = async (revision: number): Promise<void> => {
    try {
      const id = await startReplay(chat, revision);
      await navigate({ to: '/chat/$id', params: { id } });
    } catch (failure) {
      setError(failure instanceof Error ? failure : null);
    }
  };
  const download = async (): Promise<void> => {
    const { name, mediaType, content } = await call('exportChat', { id: chat.id });
    saveFile(name, new Blob([content], { type: mediaType }));
  };
  const erase = async (): Promise<void> => {
    await call('deleteChat', { id: chat.id });
    closeTab(chat.id);
    await navigate({ to: '/chat', search: {} });
  };
  const revisions = (data?.revisions ?? []).slice(0, 8);
  const items: (MenuItem | 'line')[] = [
    ...revisions.map(({ revision }) => ({
      label: `Replay against revision ${revision}`,
      icon: <History />,
      onSelect: () => void replay(revision),
    })),
    ...(revisions.length > 0 ? (['line'] as const) : []),
    { label: 'Export as Markdown', icon: <Download />, onSelect: () => void download() },
    { label: 'Delete this chat', icon: <Trash2 />, danger: true, onSelect: () => setErasing(true) },
  ];
  return (
    <>
      <Menu
        align="end"
        trigger={
          <IconButton label="Replay, export, delete">
            <History />
          </IconButton>
        }
        items={items}
      />
      {error ? <ErrorNote error={error} /> : null}
      <Confirm
        open={isErasing}
        title="Delete this chat?"
        action="Delete chat"
        onConfirm={() => void erase()}
        onClose={() => setErasing(false)}
      >
        The chat and all of its runs are deleted. This cannot be undone.
      </Confirm>
    </>
  );
}
