import { Link, type LinkProps } from '@tanstack/react-router';
import type { RunSummary } from '../../../../src/contract/run.ts';
import type { TeamSummary } from '../../../../src/contract/team.ts';
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

/** A line of the list: an agent or a team. */
interface Spender {
  key: string;
  name: string;
  link: Pick<LinkProps, 'to' | 'search' | 'params'>;
  work: string;
  tokens: number;
  usd: number;
}

const MOST = 8;

/** The cost of the runs and teams that started today, in all and one by one. */
export function Today() {
  const since = midnight();
  const { data } = useHubQuery('listRuns', { since, limit: 1000 });
  const teams = (useHubQuery('listTeams', {}).data?.teams ?? []).filter(
    ({ createdAt }) => createdAt >= since,
  );
  // Runs of members count with their team.
  const runs = (data?.runs ?? []).filter(
    ({ createdAt, caller }) =>
      createdAt >= since && !teams.some(({ id }) => caller.startsWith(`member:${id}/`)),
  );
  const spenders = [...spendersOf(runs), ...teams.map(spenderOfTeam)].toSorted(
    (a, b) => b.usd - a.usd || b.tokens - a.tokens,
  );
  const { unpriced } = costOf(runs);
  const usd = spenders.reduce((sum, each) => sum + each.usd, 0);
  const tokens = spenders.reduce((sum, each) => sum + each.tokens, 0);
  return (
    <section aria-labelledby="today">
      <h2 id="today" className="mb-2 font-serif text-xl">
        Today
      </h2>
      {data === undefined ? <Skeleton lines={2} /> : null}
      {data === undefined ? null : (
        <p className="text-base tabular">
          <span className="font-medium">{formatUsd(usd)}</span>
          <span className="text-soft">
            {' '}
            for {formatCount(runs.length, 'run')}
            {teams.length === 0 ? '' : `, ${formatCount(teams.length, 'team')}`} and{' '}
            {formatCount(tokens, 'token')}
            {unpriced > 0 ? `; the price of ${formatCount(unpriced, 'run')} is unknown` : ''}
          </span>
        </p>
      )}
      {spenders.length === 0 ? null : (
        <ul className="mt-3 border-t border-line">
          {spenders.slice(0, MOST).map(({ key, name, link, work, tokens: used, usd: spent }) => (
            <li key={key} className="flex items-center gap-4 border-b border-line text-sm tabular">
              <Link {...link} className="min-w-0 flex-1 truncate py-1.5 hover:underline" title={name}>
                {name}
              </Link>
              <span className="text-soft">{work}</span>
              <span className="w-24 text-right text-soft">{formatNumber(used)} tokens</span>
              <span className="w-20 text-right">{formatUsd(spent)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function spendersOf(runs: readonly RunSummary[]): Spender[] {
  return [...new Set(runs.map(({ agentId }) => agentId))].map((id) => {
    const cost = costOf(runs.filter(({ agentId }) => agentId === id));
    const link = { to: '/runs', search: { agent: id } } as const;
    return { key: `agent ${id}`, name: id, link, ...cost, work: formatCount(cost.runs, 'run') };
  });
}

function spenderOfTeam({ id, name, spent }: TeamSummary): Spender {
  const link = { to: '/teams/$id', params: { id } } as const;
  const { turns, tokens, usd } = spent;
  return { key: `team ${id}`, name: `Team ${name}`, link, work: formatCount(turns, 'turn'), tokens, usd };
}
