import { useHubQuery } from '../data/queries.ts';
import { QuestionCard } from './question-card.tsx';

/** What of this run waits for a person, but for approvals: those stand beside their calls. */
export function RunQuestions({ runId }: { runId: string }) {
  const { data } = useHubQuery('listQuestions', {});
  const asked = (data?.questions ?? []).filter(
    ({ asker, kind }) => kind !== 'approval' && asker.kind === 'run' && asker.id === runId,
  );
  if (asked.length === 0) return null;
  return (
    <ul aria-label="Waits for you" className="border-t border-line">
      {asked.map((question) => (
        <QuestionCard key={question.id} question={question} />
      ))}
    </ul>
  );
}
