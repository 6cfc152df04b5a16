import { Ban, Check, ChevronRight, Clock, LoaderCircle, TriangleAlert } from 'lucide-react';
import { useContext, useState } from 'react';
import { CopyButton } from '../kit/copyable.tsx';
import { formatDuration } from '../kit/numbers.ts';
import { Approval } from './approval.tsx';
import { decisionWords } from './decision-words.ts';
import { InChat } from './in-chat.ts';
import type { CallView, ToolContent } from './run-view.ts';
import { ScrollText } from './scroll-text.tsx';
import { useToolNames } from './tool-names.ts';

interface ToolCallProps {
  call: CallView;
  /** False once the run is over: then nothing waits any more. */
  isLive: boolean;
}

/** One call of a tool: a line that opens to its arguments and its result. An approval that waits is open. */
export function ToolCall({ call, isLive }: ToolCallProps) {
  const { approval, result } = call;
  const waits = isLive && approval !== null && approval.decision === null && result === null;
  const [isOpen, setOpen] = useState(false);
  const isInChat = useContext(InChat);
  const name = useToolNames([call.name])(call.name);
  return (
    <div className={`rounded-md border ${waits ? 'border-amber/50' : 'border-line'}`}>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex w-full items-center gap-2 rounded-md px-3 py-1.5 text-left text-sm hover:bg-wash"
      >
        <ChevronRight
          className={`size-3.5 shrink-0 text-faint transition-transform ${isOpen ? 'rotate-90' : ''}`}
        />
        <StateIcon call={call} waits={waits} isLive={isLive} />
        <span className="truncate font-mono text-xs">{name}</span>
        <span className="min-w-0 flex-1 truncate font-mono text-xs text-faint">
          {oneLine(call.editedArguments ?? call.arguments)}
        </span>
        <span className="shrink-0 text-xs text-soft tabular">{stateWords(call, waits, isLive)}</span>
      </button>
      {waits && approval !== null ? (
        <Approval
          questionId={approval.questionId}
          tool={name}
          input={approval.arguments}
          className="border-t border-amber/50 bg-amber-wash/60 px-3 py-3"
        >
          <p className="text-sm">
            Allow the agent to call <span className="font-mono">{name}</span>?
          </p>
        </Approval>
      ) : null}
      {isOpen ? <CallDetails call={call} /> : null}
      {approval?.decision == null ? null : (
        <p className="border-t border-line px-3 py-1.5 text-xs text-soft">
          {decisionWords(approval.decision, isInChat)}
          {approval.reason === null || approval.reason === '' ? '' : `: “${approval.reason}”`}
        </p>
      )}
    </div>
  );
}

function StateIcon({ call: { result }, waits, isLive }: { call: CallView; waits: boolean; isLive: boolean }) {
  const look = 'size-3.5 shrink-0';
  if (waits) return <Clock className={`${look} text-amber`} />;
  if (result?.isError) return <TriangleAlert className={`${look} text-danger`} />;
  if (result) return <Check className={`${look} text-leaf`} />;
  return isLive ? (
    <LoaderCircle className={`${look} text-faint motion-safe:animate-spin`} />
  ) : (
    <Ban className={`${look} text-faint`} />
  );
}

function stateWords({ result, progress }: CallView, waits: boolean, isLive: boolean): string {
  if (waits) return 'waits for you';
  if (result === null) return isLive ? (progress ?? 'running') : 'no result';
  const took = result.durationMs > 0 ? formatDuration(result.durationMs) : 'done';
  return result.isError ? `failed, ${took}` : took;
}

function CallDetails({ call }: { call: CallView }) {
  return (
    <div className="grid grid-cols-1 gap-2 border-t border-line px-3 py-2.5">
      {call.editedArguments === null ? null : (
        <Snippet title="Arguments, changed by you" text={pretty(call.editedArguments)} />
      )}
      <Snippet
        title={call.editedArguments === null ? 'Arguments' : 'Arguments of the model'}
        text={pretty(call.arguments)}
      />
      {call.result === null ? null : (
        <Snippet title={call.result.isError ? 'Error' : 'Result'} text={contentText(call.result.content)} />
      )}
    </div>
  );
}

function Snippet({ title, text }: { title: string; text: string }) {
  return (
    <div className="grid min-w-0 grid-cols-1 gap-1">
      <div className="flex items-center justify-between text-xs text-soft">
        {title}
        <CopyButton text={text} what={title.toLowerCase()} />
      </div>
      <ScrollText
        text={text}
        className="max-h-80 rounded-sm bg-wash px-2.5 py-2 break-words whitespace-pre-wrap"
      />
    </div>
  );
}

const pretty = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);

const oneLine = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text === '{}' ? '' : text.slice(0, 200);
};

const contentText = (content: ToolContent): string =>
  content.map((block) => (block.type === 'text' ? block.text : `(${block.type})`)).join('\n');
