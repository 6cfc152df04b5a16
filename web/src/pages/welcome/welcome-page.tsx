import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Creature } from '../../creature/creature.tsx';
import { useHubQuery, useKept } from '../../data/queries.ts';
import { Button } from '../../kit/button.tsx';
import { CopyButton } from '../../kit/copyable.tsx';
import { ErrorNote, Skeleton } from '../../kit/feedback.tsx';
import { formatCount } from '../../kit/numbers.ts';
import { Page } from '../../kit/page.tsx';
import { ChooseAgent } from './choose-agent.tsx';
import { ConnectFirst } from './connect-first.tsx';

/** From nothing to an agent at work in the user's own editor, in three steps. */
export function WelcomePage() {
  const { agent: id } = useSearch({ from: '/welcome' });
  const navigate = useNavigate({ from: '/welcome' });
  const choose = (agent: string | undefined): void => void navigate({ search: { agent } });
  const listed = useHubQuery('listAgents', {});
  const agent = listed.data?.agents.find((each) => each.id === id);
  return (
    <Page
      title="First steps"
      about="An agent is a prompt, its skills and its tools, kept in one place and used from every client."
    >
      {listed.error ? <ErrorNote error={listed.error} /> : null}
      <ol className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-2">
        <Step number={1} title="Choose an agent" state={agent ? 'done' : 'now'}>
          {agent === undefined ? (
            <ChooseAgent agents={listed.data?.agents ?? []} onChosen={choose} />
          ) : (
            <div className="flex flex-wrap items-center gap-3">
              <Creature seed={agent.appearanceSeed} size={56} />
              <div className="min-w-0 flex-1 basis-40">
                <p className="font-medium">{agent.name}</p>
                <p className="truncate text-sm text-soft">{agent.description}</p>
              </div>
              <Button small look="quiet" onClick={() => choose(undefined)}>
                Choose another
              </Button>
            </div>
          )}
        </Step>
        <Step number={2} title="See what the model will get" state={agent ? 'done' : 'later'}>
          {agent === undefined ? null : <FirstPrompt id={agent.id} />}
        </Step>
        <Step number={3} title="Connect your client" state={agent ? 'now' : 'later'}>
          {agent === undefined ? null : <ConnectFirst agent={agent} />}
        </Step>
      </ol>
    </Page>
  );
}

interface StepProps {
  number: number;
  title: string;
  state: 'done' | 'now' | 'later';
  children: ReactNode;
}

function Step({ number, title, state, children }: StepProps) {
  return (
    <li
      aria-current={state === 'now' ? 'step' : undefined}
      className="grid grid-cols-[2.5rem_minmax(0,1fr)] gap-x-2 border-t border-line py-5"
    >
      <span
        aria-hidden
        className={`font-serif text-2xl tabular ${state === 'later' ? 'text-faint' : 'text-leaf'}`}
      >
        {number}
      </span>
      <div className="grid min-w-0 gap-4">
        <h2 className={`font-serif text-lg leading-8 ${state === 'later' ? 'text-faint' : ''}`}>{title}</h2>
        {children}
      </div>
    </li>
  );
}

function FirstPrompt({ id }: { id: string }) {
  const { data, error } = useHubQuery('previewAgent', { id, body: { changes: {} } });
  const preview = useKept(data);
  if (error) return <ErrorNote error={error} />;
  if (preview === undefined) return <Skeleton lines={4} />;
  const { totalTokens } = preview.resolved.receipt;
  return (
    <div className="grid gap-2">
      <div className="flex items-center justify-between gap-3 text-xs text-soft tabular">
        {formatCount(totalTokens, 'token')} of prompt, {formatCount(preview.resolved.tools.length, 'tool')}
        <CopyButton text={preview.prompt} what="the prompt" />
      </div>
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so it has to be reachable
        tabIndex={0}
        aria-label="The prompt"
        className="max-h-64 overflow-auto rounded-md border border-line bg-sheet px-4 py-3 font-mono text-xs leading-5 whitespace-pre-wrap"
      >
        {preview.prompt}
      </pre>
    </div>
  );
}
