import { formatCount, formatNumber } from '../../../kit/numbers.ts';
import type { TrialOutcome, TrialStep } from './trial-steps.ts';

/** The calls of a run in their order, and its answer. */
export function TrialView({ steps, outcome }: { steps: readonly TrialStep[]; outcome: TrialOutcome | null }) {
  return (
    <div className="grid gap-3" aria-live="polite">
      {steps.length === 0 ? null : (
        <ol className="grid">
          {steps.map((step, index) => (
            <li key={index} className="border-t border-line py-2 text-xs">
              {step.kind === 'note' ? (
                <span className={step.isError ? 'text-danger' : 'text-soft'}>{step.text}</span>
              ) : (
                <details>
                  <summary className="cursor-pointer">
                    <span className="font-mono">{step.name}</span>{' '}
                    <span className={step.isError ? 'text-danger' : 'text-soft'}>
                      {step.output === null ? 'is called' : step.isError ? 'failed' : 'answered'}
                    </span>
                  </summary>
                  <pre className="mt-1.5 font-mono break-words whitespace-pre-wrap text-soft">
                    {step.input}
                    {step.output === null ? '' : `\n→ ${step.output}`}
                  </pre>
                </details>
              )}
            </li>
          ))}
        </ol>
      )}
      {outcome === null ? null : (
        <div className="grid gap-1.5">
          <p className="text-xs text-soft tabular">
            The run {outcome.state === 'completed' ? 'completed' : `is ${outcome.state}`},{' '}
            {formatNumber(outcome.usage.inputTokens)} tokens in,{' '}
            {formatCount(outcome.usage.outputTokens, 'token')} out
          </p>
          {outcome.text === '' ? null : (
            <p
              data-testid="trial-answer"
              className="rounded-md border border-leaf/30 bg-leaf-wash px-3 py-2.5 text-base break-words whitespace-pre-wrap"
            >
              {outcome.text}
            </p>
          )}
        </div>
      )}
    </div>
  );
}
