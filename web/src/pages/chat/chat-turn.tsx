import {
  ChevronLeft,
  ChevronRight,
  FileText,
  PencilLine,
  RotateCcw,
  ScrollText as ScrollIcon,
} from 'lucide-react';
import { memo, useState } from 'react';
import type { Chat, ChatTurn } from '../../../../src/contract/chat.ts';
import { call } from '../../data/hub.ts';
import { Button, IconButton } from '../../kit/button.tsx';
import { CopyButton } from '../../kit/copyable.tsx';
import { ErrorNote } from '../../kit/feedback.tsx';
import { TextArea } from '../../kit/field.tsx';
import { formatBytes } from '../../kit/numbers.ts';
import { type Attempt, useAttempt } from '../../kit/use-attempt.ts';
import { RunQuestions } from '../../questions/run-questions.tsx';
import { RunAnswer } from '../../runs/run-answer.tsx';
import { RunStats } from '../../runs/run-stats.tsx';
import { isOver, type RunView } from '../../runs/run-view.ts';
import type { ChatFeed } from './chat-feed.ts';
import { newestBelow, siblingsOf } from './chat-state.ts';
import { TurnEnding } from './turn-ending.tsx';
import { useStoredRun } from './use-stored-run.ts';

interface TurnProps {
  turn: ChatTurn;
  /** What was seen of it live. */
  live: RunView | undefined;
  chat: Chat;
  feed: ChatFeed;
  /** The hub refuses branches while a run is under way. */
  isBusy: boolean;
  /** False while the page is scrolled: details can wait. */
  isStill: boolean;
  onContext: (runId: string) => void;
  /** Called when the message is sent again. */
  onBranch: () => void;
}

/** A message and what came of it. Only the one that is answered is drawn again while the answer streams in. */
export const ChatTurnView = memo(function ChatTurnView(props: TurnProps) {
  const { turn, live, chat, feed, isBusy, isStill, onContext, onBranch } = props;
  const stored = useStoredRun(turn, isStill && live === undefined);
  // A hub that was restarted knows better than the last event how a run ended.
  const run =
    live === undefined ? stored : isOver(turn) && !isOver(live) ? { ...live, state: turn.state } : live;
  const { error, attempt } = useAttempt();
  const retry = (): void => {
    attempt(() => call('retryMessage', { id: chat.id, body: { run: turn.runId } }));
    onBranch();
  };
  return (
    <article aria-label={`Turn ${turn.turn}`} className="grid grid-cols-1 gap-4">
      <UserMessage
        turn={turn}
        chat={chat}
        feed={feed}
        attempt={attempt}
        isBusy={isBusy}
        onBranch={onBranch}
      />
      <div className="grid min-w-0 grid-cols-1 gap-3">
        {run.steps.length === 0 && !isOver(run) ? <Thinking /> : <RunAnswer run={run} />}
        {run.state === 'waiting' ? <RunQuestions runId={turn.runId} /> : null}
        <TurnEnding turn={turn} run={run} onRetry={retry} attempt={attempt} />
        {error ? <ErrorNote error={error} /> : null}
        {isOver(run) ? (
          <TurnFooter turn={turn} run={run} isBusy={isBusy} onRetry={retry} onContext={onContext} />
        ) : null}
      </div>
    </article>
  );
});

function Thinking() {
  return (
    <p role="status" className="text-sm text-soft motion-safe:animate-pulse">
      Waiting for the model
    </p>
  );
}

interface FooterProps {
  turn: ChatTurn;
  run: RunView;
  isBusy: boolean;
  onRetry: () => void;
  onContext: (runId: string) => void;
}

/** Turns that did not end well offer their retry above, with the reason. */
function TurnFooter({ turn, run, isBusy, onRetry, onContext }: FooterProps) {
  const took = turn.endedAt === null ? null : Date.parse(turn.endedAt) - Date.parse(turn.createdAt);
  return (
    <div className="flex flex-wrap items-center gap-x-1 gap-y-0.5">
      <RunStats usage={run.usage ?? turn.usage} model={run.model ?? turn.model} durationMs={took} />
      <span className="ml-auto flex items-center">
        {turn.text === '' ? null : <CopyButton text={turn.text} what="the answer" />}
        <Button small look="quiet" icon={<ScrollIcon />} onClick={() => onContext(turn.runId)}>
          Context
        </Button>
        {run.state === 'failed' || run.state === 'interrupted' ? null : (
          <Button small look="quiet" icon={<RotateCcw />} disabled={isBusy} onClick={onRetry}>
            Retry
          </Button>
        )}
      </span>
    </div>
  );
}

interface BranchesProps extends Pick<TurnProps, 'turn' | 'chat' | 'feed' | 'isBusy'> {
  attempt: Attempt['attempt'];
}

type MessageProps = BranchesProps & Pick<TurnProps, 'onBranch'>;

function UserMessage({ turn, chat, feed, attempt, isBusy, onBranch }: MessageProps) {
  const text = turn.input.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  const files = turn.input.flatMap((part) => (part.type === 'file' ? [part] : []));
  const [edited, setEdited] = useState<string | null>(null);
  const resend = (): void => {
    if (edited === null || edited.trim() === '') return;
    const { id } = chat;
    const message = [{ type: 'text' as const, text: edited }, ...files];
    attempt(() => call('sendMessage', { id, body: { message, previous: turn.previous } }));
    onBranch();
    setEdited(null);
  };
  if (edited !== null) {
    return (
      <div className="grid gap-2 rounded-lg bg-wash p-3">
        <TextArea
          autoFocus
          aria-label="Edited message"
          value={edited}
          onChange={({ target }) => setEdited(target.value)}
        />
        <div className="flex justify-end gap-2">
          <Button small look="quiet" onClick={() => setEdited(null)}>
            Cancel
          </Button>
          <Button small look="primary" onClick={resend}>
            Send as a new branch
          </Button>
        </div>
      </div>
    );
  }
  return (
    <div className="grid grid-cols-1 justify-items-end gap-1">
      <div className="max-w-[85%] rounded-lg bg-wash px-4 py-2.5">
        {files.map((file, index) => (
          <p key={index} className="flex items-center gap-2 py-0.5 text-xs text-soft">
            <FileText className="size-3.5 shrink-0" />
            <span className="truncate">{file.name ?? file.mediaType}</span>
            <span className="tabular">{formatBytes(Math.floor(file.data.length * 0.75))}</span>
          </p>
        ))}
        <p className="text-base break-words whitespace-pre-wrap">{text}</p>
      </div>
      <div className="flex items-center gap-1 text-xs text-soft">
        <Branches turn={turn} chat={chat} feed={feed} attempt={attempt} isBusy={isBusy} />
        <IconButton label="Edit and resend" small disabled={isBusy} onClick={() => setEdited(text)}>
          <PencilLine />
        </IconButton>
      </div>
    </div>
  );
}

/** The switch between messages that were sent in the same place. */
function Branches({ turn, chat, feed, attempt, isBusy }: BranchesProps) {
  const siblings = siblingsOf(chat, turn);
  if (siblings.length < 2) return null;
  const at = siblings.findIndex(({ runId }) => runId === turn.runId);
  const go = (to: number): void => {
    const target = siblings[to];
    if (!target) return;
    const head = newestBelow(chat, target.runId);
    attempt(async () => feed.adopt(await call('patchChat', { id: chat.id, body: { head } })));
  };
  return (
    <span role="group" aria-label="Branches" className="flex items-center">
      <IconButton label="Previous branch" small disabled={isBusy || at === 0} onClick={() => go(at - 1)}>
        <ChevronLeft />
      </IconButton>
      <span className="tabular">
        {at + 1} of {siblings.length}
      </span>
      <IconButton
        label="Next branch"
        small
        disabled={isBusy || at === siblings.length - 1}
        onClick={() => go(at + 1)}
      >
        <ChevronRight />
      </IconButton>
    </span>
  );
}
