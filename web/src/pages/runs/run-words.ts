import type { RunState, RunSummary, Usage } from '../../../../src/contract/run.ts';
import type { Tone } from '../../kit/feedback.tsx';
import { formatCount } from '../../kit/numbers.ts';

export const runStates: Record<RunState, { word: string; tone: Tone }> = {
  queued: { word: 'Queued', tone: 'neutral' },
  running: { word: 'Running', tone: 'leaf' },
  waiting: { word: 'Waits for you', tone: 'amber' },
  completed: { word: 'Done', tone: 'neutral' },
  failed: { word: 'Failed', tone: 'danger' },
  cancelled: { word: 'Cancelled', tone: 'neutral' },
  interrupted: { word: 'Interrupted', tone: 'amber' },
};

const ACTIVE: ReadonlySet<RunState> = new Set(['queued', 'running', 'waiting']);

/** Whether a run can still be cancelled, and changes by itself. */
export const isActive = ({ state }: Pick<RunSummary, 'state'>): boolean => ACTIVE.has(state);

const money = new Intl.NumberFormat(undefined, {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 4,
});

/** "$0.0312", or that the price of the model is unknown. */
export const formatUsd = (usd: number | null): string => (usd === null ? 'price unknown' : money.format(usd));

export const tokensOf = ({ inputTokens, outputTokens }: Usage): number => inputTokens + outputTokens;

/** "1,204 tokens, $0.0031". */
export const formatUsage = (usage: Usage): string =>
  `${formatCount(tokensOf(usage), 'token')}, ${formatUsd(usage.usd)}`;

/** "operator over web", "agent:helper over mcp". */
export const askedBy = ({ caller, surface }: Pick<RunSummary, 'caller' | 'surface'>): string =>
  `${caller} over ${surface}`;
