import { Brain, MessageSquareText, UserRound, Wrench } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ModelMessage, Run, RunStep } from '../../../../src/contract/run.ts';
import { CopyButton } from '../../kit/copyable.tsx';
import { formatCount, formatDuration, formatNumber } from '../../kit/numbers.ts';
import { formatUsage } from './run-words.ts';
import { sentIn } from './sent-in.ts';

/** What was sent and what came back, one step after the other. */
export function RunTimeline({ run }: { run: Run }) {
  const asked: ModelMessage = { role: 'user', parts: run.input };
  return (
    <ol aria-label="Timeline" className="grid grid-cols-[minmax(0,1fr)]">
      <li className="border-l-2 border-line pb-6 pl-5">
        <Head title="Asked" aside={`${formatCount(run.tools.length, 'tool')} in scope`} />
        <Parts message={asked} />
        <Sent
          title="System prompt"
          text={run.system}
          aside={run.receipt === null ? '' : formatCount(run.receipt.totalTokens, 'token')}
        />
        {run.tools.length === 0 ? null : (
          <Sent title="Tools" text={run.tools.join('\n')} aside={formatNumber(run.tools.length)} />
        )}
      </li>
      {run.stepsTaken.map((step) => (
        <Step key={step.step} step={step} run={run} />
      ))}
      {run.stepsTaken.length === 0 ? (
        <li className="border-l-2 border-line pl-5 text-sm text-soft">No steps yet.</li>
      ) : null}
    </ol>
  );
}

function Step({ step, run }: { step: RunStep; run: Run }) {
  const { step: number, model, usage, durationMs, messages } = step;
  return (
    <li className="border-l-2 border-leaf/40 pb-6 pl-5">
      <Head
        title={`Step ${number}`}
        aside={`${model}, ${formatUsage(usage)}, ${formatDuration(durationMs)}`}
      />
      <Sent
        title="Sent to the model"
        text={JSON.stringify(sentIn(run, number), null, 2)}
        aside={formatCount(usage.inputTokens, 'token')}
      />
      {run.chatId === null ? null : (
        <p className="text-xs text-faint">Before these messages, the earlier turns of its chat were sent.</p>
      )}
      {messages.map((message, index) => (
        <Parts key={index} message={message} />
      ))}
    </li>
  );
}

function Head({ title, aside }: { title: string; aside: string }) {
  return (
    <h2 className="mb-2 flex flex-wrap items-baseline gap-x-3">
      <span className="font-serif text-lg">{title}</span>
      <span className="font-sans text-xs font-normal text-faint tabular">{aside}</span>
    </h2>
  );
}

const block = 'font-mono text-xs leading-5 break-words whitespace-pre-wrap';

/** A text that the model got, folded: it may be long. */
function Sent({ title, text, aside }: { title: string; text: string; aside: string }) {
  return (
    <details className="my-2 rounded-md border border-line">
      <summary className="cursor-pointer px-3 py-1.5 text-sm text-soft hover:text-ink">
        {title} <span className="text-xs text-faint tabular">{aside}</span>
      </summary>
      <div className="relative border-t border-line">
        <div className="absolute top-1.5 right-1.5">
          <CopyButton text={text} what={title} />
        </div>
        <pre
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so it has to be reachable
          tabIndex={0}
          aria-label={title}
          className={`max-h-[32rem] overflow-auto px-3 py-2.5 ${block}`}
        >
          {text}
        </pre>
      </div>
    </details>
  );
}

function Parts({ message }: { message: ModelMessage }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {message.parts.map((part, index) => {
        switch (part.type) {
          case 'text':
            return (
              <Part
                key={index}
                icon={message.role === 'user' ? <UserRound /> : <MessageSquareText />}
                name={message.role === 'user' ? 'User' : 'Answer'}
              >
                <p className="max-w-[75ch] text-base break-words whitespace-pre-wrap">{part.text}</p>
              </Part>
            );
          case 'reasoning':
            return (
              <Part key={index} icon={<Brain />} name="Reasoning">
                <details>
                  <summary className="cursor-pointer text-sm text-soft">Reasoning</summary>
                  <p className="mt-1 max-w-[75ch] text-sm break-words whitespace-pre-wrap text-soft">
                    {part.text}
                  </p>
                </details>
              </Part>
            );
          case 'tool-call':
            return (
              <Part key={index} icon={<Wrench />} name="Call">
                <p className="font-mono text-sm">{part.name}</p>
                <pre className={`text-soft ${block}`}>{pretty(part.input)}</pre>
              </Part>
            );
          case 'tool-result':
            return (
              <Part key={index} icon={<Wrench />} name="Result">
                <p className={`font-mono text-sm ${part.isError ? 'text-danger' : 'text-soft'}`}>
                  {part.name} {part.isError ? 'failed' : 'answered'}
                </p>
                <pre className={`max-h-80 overflow-auto ${block}`}>
                  {part.content
                    .map((each) => (each.type === 'text' ? each.text : JSON.stringify(each)))
                    .join('\n')}
                </pre>
              </Part>
            );
          case 'file':
            return (
              <Part key={index} icon={<MessageSquareText />} name="File">
                <p className="text-sm text-soft">
                  {part.name ?? 'File'}, {part.mediaType}
                </p>
              </Part>
            );
          default:
            return null;
        }
      })}
    </div>
  );
}

function Part({ icon, name, children }: { icon: ReactNode; name: string; children: ReactNode }) {
  return (
    <div className="flex gap-3">
      <span className="mt-1 text-soft [&_svg]:size-4" title={name}>
        <span className="sr-only">{name}:</span>
        {icon}
      </span>
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
}

const pretty = (input: unknown): string =>
  typeof input === 'string' ? input : JSON.stringify(input, null, 2);
