import { Link } from '@tanstack/react-router';
import { Clock } from 'lucide-react';
import type { ChatSummary } from '../../../../src/contract/chat.ts';
import type { Question } from '../../../../src/contract/question.ts';
import { useHubQuery } from '../../data/queries.ts';
import { CopyButton } from '../../kit/copyable.tsx';
import { formatCount } from '../../kit/numbers.ts';
import { titleOf } from './chat-list.tsx';

/** How many approvals wait, who asks for which call, and the command that answers them. */
export function WaitingBar({ chats }: { chats: readonly ChatSummary[] }) {
  const { data } = useHubQuery('listQuestions', {});
  const questions = data?.questions.filter(({ kind }) => kind === 'approval' || kind === 'permission') ?? [];
  if (questions.length === 0) return <div role="status" aria-label="Approvals" />;
  return (
    <div
      role="status"
      aria-label="Approvals"
      className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-amber/30 bg-amber-wash px-4 py-1.5 text-sm"
    >
      <span className="flex items-center gap-2">
        <Clock className="size-4 text-amber" />
        {formatCount(questions.length, 'approval waits', 'approvals wait')} for you
      </span>
      <span className="flex min-w-0 flex-wrap gap-x-3 text-xs max-sm:order-last max-sm:basis-full">
        {[...byAsker(questions)].map(([asker, asked]) => (
          <Asker key={asker} chat={chats.find(({ id }) => id === asker)} asked={asked} />
        ))}
      </span>
      <span className="ml-auto flex items-center gap-1 text-xs text-soft">
        <code className="font-mono">zoo inbox</code>
        <CopyButton text="zoo inbox" what="zoo inbox" />
      </span>
    </div>
  );
}

function Asker({ chat, asked }: { chat: ChatSummary | undefined; asked: readonly Question[] }) {
  const [first] = asked;
  if (first === undefined) return null;
  const textOf = (key: string): string | undefined => {
    const value = first.details[key];
    return typeof value === 'string' ? value : undefined;
  };
  const words = (
    <>
      {textOf('member') ?? first.agentId ?? 'an agent'}:{' '}
      <span className="font-mono">{textOf('displayName') ?? textOf('tool') ?? first.title}</span>
      {asked.length > 1 ? ` and ${asked.length - 1} more` : ''}
    </>
  );
  const look = 'max-w-full truncate py-1 underline underline-offset-3';
  return chat === undefined ? (
    <Link to="/home" className={look}>
      {words}
    </Link>
  ) : (
    <Link to="/chat/$id" params={{ id: chat.id }} title={titleOf(chat)} className={look}>
      {words}
    </Link>
  );
}

/** By chat, or by run for those outside of chats. */
function byAsker(questions: readonly Question[]): ReadonlyMap<string, Question[]> {
  const found = new Map<string, Question[]>();
  for (const question of questions) {
    const { chatId } = question.details;
    const key = typeof chatId === 'string' ? chatId : question.asker.id;
    found.set(key, [...(found.get(key) ?? []), question]);
  }
  return found;
}
