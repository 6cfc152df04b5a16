import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { RunState } from '../../../../src/contract/run.ts';
import { Badge } from '../../kit/feedback.tsx';
import { formatUsd } from '../../kit/money.ts';
import { formatAgo, formatMoment } from '../../kit/numbers.ts';
import { runStates } from './run-words.ts';

const columns =
  'grid-cols-[minmax(0,1fr)_auto] md:grid-cols-[7rem_minmax(0,1fr)_minmax(0,10rem)_minmax(0,11rem)_7rem_7rem]';

interface WorkTableProps {
  label: string;
  titles: readonly string[];
  children: ReactNode;
}

/** A list of runs or of jobs, with its columns named. */
export function WorkTable({ label, titles, children }: WorkTableProps) {
  return (
    <div>
      <div
        aria-hidden="true"
        className={`sticky top-0 z-10 grid gap-4 border-b border-line-strong bg-paper px-2 py-2 text-xs text-faint max-md:hidden ${columns}`}
      >
        {titles.map((title) => (
          <span key={title}>{title}</span>
        ))}
      </div>
      <ul aria-label={label}>{children}</ul>
    </div>
  );
}

interface WorkRowProps {
  link: Pick<LinkProps, 'to' | 'params'>;
  state: RunState;
  what: string;
  agent: string;
  askedBy: string;
  usd: number | null;
  /** The cost in full, for whoever points at it. */
  cost: string;
  createdAt: string;
}

export function WorkRow({ link, state, what, agent, askedBy, usd, cost, createdAt }: WorkRowProps) {
  const { word, tone } = runStates[state];
  return (
    <li>
      <Link
        {...link}
        className={`grid min-h-11 items-center gap-x-4 gap-y-1 border-b border-line px-2 py-2 text-sm -outline-offset-2 hover:bg-sheet ${columns}`}
      >
        <span className="max-md:order-2 max-md:justify-self-end">
          <Badge tone={tone}>{word}</Badge>
        </span>
        <span className="truncate" title={what}>
          {what}
        </span>
        <span className="truncate text-soft max-md:order-3" title={`${agent}, asked by ${askedBy}`}>
          {agent}
          <span className="text-xs md:hidden">, {askedBy}</span>
        </span>
        <span className="truncate text-xs text-soft max-md:hidden" title={askedBy}>
          {askedBy}
        </span>
        <span className="text-xs text-soft tabular max-md:hidden" title={cost}>
          {formatUsd(usd)}
        </span>
        <span
          className="text-xs text-faint max-md:order-4 max-md:justify-self-end"
          title={formatMoment(createdAt)}
        >
          <span className="text-soft tabular md:hidden">{formatUsd(usd)} · </span>
          {formatAgo(createdAt)}
        </span>
      </Link>
    </li>
  );
}
