import type { Usage } from '../../../src/contract/run.ts';
import { formatUsd } from '../kit/money.ts';
import { formatDuration, formatNumber } from '../kit/numbers.ts';

interface RunStatsProps {
  usage: Usage | null;
  model?: string | null;
  durationMs?: number | null;
}

/** "anthropic/claude · 1,204 in, 88 out · $0.004 · 2.1 s" */
export function RunStats({ usage, model = null, durationMs = null }: RunStatsProps) {
  // Without figures from the provider, as after a stop, the cost is unknown rather than nothing.
  const isKnown = usage !== null && usage.inputTokens + usage.outputTokens > 0;
  const parts = [
    model,
    isKnown ? `${formatNumber(usage.inputTokens)} in, ${formatNumber(usage.outputTokens)} out` : null,
    isKnown ? formatUsd(usage.usd) : null,
    durationMs === null ? null : formatDuration(durationMs),
  ].filter((part) => part !== null);
  return <span className="text-xs text-soft tabular">{parts.join(' · ')}</span>;
}
