import { Link } from '@tanstack/react-router';
import type { ReceiptPart } from '../../../src/contract/resolved.ts';
import type { Run } from '../../../src/contract/run.ts';
import { useHubQuery, useKept } from '../data/queries.ts';
import { CopyButton } from '../kit/copyable.tsx';
import { ErrorNote, Skeleton } from '../kit/feedback.tsx';
import { Sheet } from '../kit/floating.tsx';
import { formatUsd } from '../kit/money.ts';
import { formatAgo, formatBytes, formatCount, formatDecimal, formatNumber } from '../kit/numbers.ts';

interface ContextSheetProps {
  /** The run whose context is shown; null for none. */
  runId: string | null;
  onClose: () => void;
}

/** What went into one reply: each part of the prompt with why it is there, and what it cost. */
export function ContextSheet({ runId, onClose }: ContextSheetProps) {
  const id = useKept(runId ?? undefined) ?? '';
  const { data, error } = useHubQuery('getRun', { id }, { enabled: runId !== null });
  return (
    <Sheet open={runId !== null} onClose={onClose} title="Context of this reply" wide>
      {error ? <ErrorNote error={error} /> : null}
      {data === undefined && !error ? <Skeleton lines={8} /> : null}
      {data === undefined ? null : <Context run={data} />}
    </Sheet>
  );
}

function Context({ run }: { run: Run }) {
  const { receipt, system, tools, usage, model, stepsTaken } = run;
  return (
    <div className="grid gap-6">
      <dl className="grid grid-cols-[5rem_1fr] gap-y-1 text-sm tabular">
        <dt className="text-soft">Cost</dt>
        <dd>
          {formatUsd(usage.usd)}, {formatCount(usage.inputTokens, 'token')} in and{' '}
          {formatNumber(usage.outputTokens)} out
        </dd>
        <dt className="text-soft">Model</dt>
        <dd className="break-words">{model ?? 'none yet'}</dd>
        <dt className="text-soft">Agent</dt>
        <dd className="break-words">
          {run.agentId}, revision {run.agentRevision}
        </dd>
        <dt className="text-soft">Run</dt>
        <dd>
          <Link to="/runs/$id" params={{ id: run.id }} className="text-leaf hover:underline">
            {formatCount(stepsTaken.length, 'step')}, with everything that was sent
          </Link>
        </dd>
      </dl>
      <Asked run={run} />
      {receipt === null ? (
        <p className="text-sm text-soft">The run ended before its prompt was resolved.</p>
      ) : (
        <section className="grid gap-2">
          <h3 className="font-serif text-lg">
            What went in: {formatCount(receipt.totalTokens, 'token')}
            {receipt.toolTokens === undefined ? '' : `, and ${formatNumber(receipt.toolTokens)} of tools`}
          </h3>
          <table className="w-full text-left text-sm">
            <thead className="text-xs text-soft">
              <tr className="border-b border-line-strong">
                <th scope="col" className="py-1.5 pr-4 font-normal">
                  Part
                </th>
                <th scope="col" className="py-1.5 pr-4 font-normal">
                  Why
                </th>
                <th scope="col" className="py-1.5 pr-4 text-right font-normal">
                  Score
                </th>
                <th scope="col" className="py-1.5 text-right font-normal">
                  Tokens
                </th>
              </tr>
            </thead>
            <tbody>
              {receipt.parts.map((part, index) => (
                <PartRow key={index} part={part} />
              ))}
            </tbody>
          </table>
          {receipt.warnings.map((warning) => (
            <p key={warning} className="text-xs text-amber">
              {warning}
            </p>
          ))}
        </section>
      )}
      <section className="grid gap-2">
        <h3 className="font-serif text-lg">Tools: {formatNumber(tools.length)}</h3>
        <p className="font-mono text-xs break-words text-soft">{tools.join(', ') || 'none'}</p>
      </section>
      <section className="grid gap-2">
        <div className="flex items-center justify-between">
          <h3 className="font-serif text-lg">System prompt</h3>
          <CopyButton text={system} what="the system prompt" />
        </div>
        <pre className="rounded-md border border-line bg-wash px-3 py-2.5 font-mono text-xs leading-5 break-words whitespace-pre-wrap">
          {system}
        </pre>
      </section>
    </div>
  );
}

/** The message itself, and the files that came with it. */
function Asked({ run: { input, turn } }: { run: Run }) {
  return (
    <section className="grid gap-2">
      <h3 className="font-serif text-lg">Message</h3>
      {input.map((part, index) =>
        part.type === 'text' ? (
          <p key={index} className="max-h-40 overflow-y-auto text-sm break-words whitespace-pre-wrap">
            {part.text}
          </p>
        ) : (
          <p key={index} className="text-sm break-words text-soft">
            {part.name ?? part.mediaType}, {formatBytes(Math.floor(part.data.length * 0.75))}
          </p>
        ),
      )}
      {turn !== null && turn > 1 ? (
        <p className="text-xs text-soft">Earlier turns of this branch were sent before it.</p>
      ) : null}
    </section>
  );
}

const why: Record<ReceiptPart['kind'], string> = {
  persona: 'the persona of the agent',
  skill: 'an enabled skill',
  context: 'found for a context query',
  memory: 'a pinned memory',
  message: 'an opening message',
};

function PartRow({ part }: { part: ReceiptPart }) {
  const { kind, title, source, path, relevance, score, updatedAt, tokens } = part;
  const figure = relevance ?? score;
  return (
    <tr className="border-b border-line align-top">
      <td className="py-1.5 pr-4 break-words">{title}</td>
      <td className="py-1.5 pr-4 text-xs leading-5 text-soft">
        {why[kind]}
        {source === undefined ? '' : `, ${source}/${path ?? ''}`}
        {updatedAt === undefined ? '' : `, changed ${formatAgo(updatedAt)}`}
      </td>
      <td className="py-1.5 pr-4 text-right tabular">
        {figure === undefined ? '' : formatDecimal(figure, 2)}
      </td>
      <td className="py-1.5 text-right tabular">{formatNumber(tokens)}</td>
    </tr>
  );
}
