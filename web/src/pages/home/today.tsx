import { Link } from '@tanstack/react-router';
import type { RunSummary } from '../../../../src/contract/run.ts';
import { useHubQuery } from '../../data/queries.ts';
import { Skeleton } from '../../kit/feedback.tsx';
import { formatUsd } from '../../kit/money.ts';
import { formatCount, formatNumber } from '../../kit/numbers.ts';
import { tokensOf } from '../runs/run-words.ts';

function midnight(): string {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate()).toISOString();
}

interface Cost {
  runs: number;
  tokens: number;
  usd: number;
  /** Runs of models whose price is unknown. */
  unpriced: number;
}

/** What a number of runs has cost together. */
function costOf(runs: readonly RunSummary[]): Cost {
  return {
    runs: runs.length,
    tokens: runs.reduce((sum, { usage }) => sum + tokensOf(usage), 0),
    usd: runs.reduce((sum, { usage }) => sum + (usage.usd ?? 0), 0),
    unpriced: runs.filter(({ usage }) => usage.usd === null).length,
  };
}

/** The cost of the runs that started today, in all and by agent. */
export function Today() {
  const since = midnight();
  const { data } = useHubQuery('listRuns', { since, limit: 1000 });
  const runs = data?.runs.filter(({ createdAt }) => createdAt >= since) ?? [];
  const agents = [...new Set(runs.map(({ agentId }) => agentId))]
    .map((id) => ({ id, cost: costOf(runs.filter(({ agentId }) => agentId === id)) }))
    .toSorted((a, b) => b.cost.usd - a.cost.usd || b.cost.tokens - a.cost.tokens);
  const all = costOf(runs);
  return (
    <section aria-labelledby="today">
      <h2 id="today" className="mb-2 font-serif text-xl">
        Today
      </h2>
      {data === undefined ? <Skeleton lines={2} /> : null}
      {data === undefined ? null : (
        <p className="text-base tabular">
          <span className="font-medium">{formatUsd(all.usd)}</span>
          <span className="text-soft">
            {' '}
            for {formatCount(all.runs, 'run')} and {formatCount(all.tokens, 'token')}
            {all.unpriced > 0 ? `; the price of ${formatNumber(all.unpriced)} is unknown` : ''}
          </span>
        </p>
      )}
      {agents.length === 0 ? null : (
        <ul className="mt-3 border-t border-line">
          {agents.slice(0, 8).map(({ id, cost }) => (
            <li key={id} className="flex gap-4 border-b border-line py-1.5 text-sm tabular">
              <Link to="/runs" search={{ agent: id }} className="min-w-0 flex-1 truncate hover:underline">
                {id}
              </Link>
              <span className="text-soft">{formatCount(cost.runs, 'run')}</span>
              <span className="w-24 text-right text-soft">{formatNumber(cost.tokens)} tokens</span>
              <span className="w-20 text-right">{formatUsd(cost.usd)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
