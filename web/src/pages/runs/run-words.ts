import type { RunState, RunSummary, Usage } from '../../../../src/contract/run.ts';
import type { Tone } from '../../kit/feedback.tsx';
import { formatUsd } from '../../kit/money.ts';
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

export const tokensOf = ({ inputTokens, outputTokens }: Usage): number => inputTokens + outputTokens;

/** "1,204 tokens, $0.0031". */
export const formatUsage = (usage: Usage): string =>
  `${formatCount(tokensOf(usage), 'token')}, ${formatUsd(usage.usd)}`;

/** "operator over web", "agent:helper over mcp". */
export const askedBy = ({ caller, surface }: Pick<RunSummary, 'caller' | 'surface'>): string =>
  `${caller} over ${surface}`;
