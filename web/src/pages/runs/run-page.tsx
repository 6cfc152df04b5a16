import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Ban, Download, Play, Trash2 } from 'lucide-react';
import { useEffect } from 'react';
import type { Run } from '../../../../src/contract/run.ts';
import { call } from '../../data/hub.ts';
import { invalidate, useHubMutation, useHubQuery } from '../../data/queries.ts';
import { Button } from '../../kit/button.tsx';
import { Badge, ErrorNote, Skeleton } from '../../kit/feedback.tsx';
import { ConfirmButton } from '../../kit/confirm-button.tsx';
import { formatCount, formatDuration, formatMoment } from '../../kit/numbers.ts';
import { Page } from '../../kit/page.tsx';
import { RunQuestions } from '../../questions/run-questions.tsx';
import { saveFile } from '../../kit/save-file.ts';
import { isOver } from '../../runs/run-view.ts';
import { askedBy, formatUsage, runStates } from './run-words.ts';
import { RunTimeline } from './run-timeline.tsx';

/** The figures of a step are in its row, whose changes are not announced: a run under way is read this often. */
const STEP_MS = 1000;

const refresh = (): void => invalidate(['getRun', 'listRuns']);

/** One run, step by step, with everything that was sent to the model. */
export function RunPage() {
  const { id } = useParams({ from: '/runs/$id' });
  const { data: run, error, refetch } = useHubQuery('getRun', { id });
  const follows = run !== undefined && !isOver(run);
  useEffect(() => {
    if (!follows) return undefined;
    const timer = setInterval(() => void refetch({ cancelRefetch: false }), STEP_MS);
    return () => clearInterval(timer);
  }, [follows, refetch]);
  return (
    <Page
      title="Run"
      about={run === undefined ? undefined : <Facts run={run} />}
      actions={run === undefined ? undefined : <Acts run={run} />}
    >
      {error ? <ErrorNote error={error} /> : null}
      {run === undefined && !error ? <Skeleton lines={10} /> : null}
      {run === undefined ? null : (
        <div className="grid max-w-[60rem] grid-cols-[minmax(0,1fr)] gap-6">
          {run.error === null ? null : <ErrorNote error={new Error(run.error.message)} />}
          <RunQuestions runId={run.id} />
          <RunTimeline key={run.id} run={run} />
        </div>
      )}
    </Page>
  );
}

function Facts({ run }: { run: Run }) {
  const { state, agentId, agentRevision, model, usage, steps, createdAt, endedAt, parent, chatId } = run;
  const { word, tone } = runStates[state];
  const took = endedAt === null ? null : Date.parse(endedAt) - Date.parse(createdAt);
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft tabular">
      <Badge tone={tone}>{word}</Badge>
      <Link to="/agent/$id/persona" params={{ id: agentId }} className="py-0.5 text-leaf hover:underline">
        {agentId}
      </Link>
      <span>revision {agentRevision}</span>
      <span>{model ?? 'no model yet'}</span>
      <span>asked by {askedBy(run)}</span>
      <span>{formatCount(steps, 'step')}</span>
      <span>{formatUsage(usage)}</span>
      <span title={formatMoment(createdAt)}>
        {formatMoment(createdAt)}
        {took === null ? '' : `, ${formatDuration(took)}`}
      </span>
      {parent === null ? null : (
        <Link to="/runs/$id" params={{ id: parent }} className="py-0.5 text-leaf hover:underline">
          started by another run
        </Link>
      )}
      {chatId === null ? null : (
        <Link to="/chat/$id" params={{ id: chatId }} className="py-0.5 text-leaf hover:underline">
          part of a chat
        </Link>
      )}
    </span>
  );
}

function Acts({ run }: { run: Run }) {
  const { id, state } = run;
  const navigate = useNavigate();
  const cancel = useHubMutation('cancelRun');
  const resume = useHubMutation('resumeRun');
  const remove = useHubMutation('deleteRun');
  const failure = cancel.error ?? resume.error ?? remove.error;
  return (
    <>
      {isOver(run) ? (
        <ConfirmButton
          label="Delete"
          icon={<Trash2 />}
          look="quiet"
          title="Delete this run?"
          action="Delete"
          onConfirm={() => remove.mutate({ id }, { onSuccess: () => void navigate({ to: '/runs' }) })}
        >
          Its steps and events are deleted. This cannot be undone.
        </ConfirmButton>
      ) : (
        <Button
          look="danger"
          icon={<Ban />}
          disabled={cancel.isPending}
          onClick={() => cancel.mutate({ id }, { onSettled: refresh })}
        >
          Cancel run
        </Button>
      )}
      {state === 'interrupted' ? (
        <Button
          look="primary"
          icon={<Play />}
          disabled={resume.isPending}
          onClick={() => resume.mutate({ id }, { onSettled: refresh })}
        >
          Resume run
        </Button>
      ) : null}
      <Button icon={<Download />} onClick={() => void save(id)}>
        Save as Markdown
      </Button>
      {failure ? (
        <div className="basis-full">
          <ErrorNote error={failure} />
        </div>
      ) : null}
    </>
  );
}

async function save(id: string): Promise<void> {
  const { name, mediaType, content } = await call('exportRun', { id, format: 'markdown' });
  saveFile(name, new Blob([content], { type: mediaType }));
}
