import { Link } from '@tanstack/react-router';
import { Globe, RotateCw, SquareTerminal, TriangleAlert } from 'lucide-react';
import type { UpstreamStatus } from '../../../../src/contract/operations/upstreams.ts';
import { afterEdits, undoEdit } from '../../config-edit/undo-edit.ts';
import { call } from '../../data/hub.ts';
import { invalidate, useHubMutation } from '../../data/queries.ts';
import { Button, buttonClass } from '../../kit/button.tsx';
import { ErrorNote } from '../../kit/feedback.tsx';
import { Switch } from '../../kit/choice.tsx';
import { formatAgo, formatCount } from '../../kit/numbers.ts';
import { notify } from '../../kit/toasts.tsx';
import { ServerState } from './server-state.tsx';
import { HubText } from '../../kit/hub-text/hub-text.tsx';

/** One upstream server: how it is, and what can be done about it. */
export function ServerRow({ server }: { server: UpstreamStatus }) {
  const { name, state, target, transport, error } = server;
  const restart = useHubMutation('restartUpstream');
  const turn = useHubMutation('applyConfig');
  const config = server.workspace === null ? 'user' : 'workspace';
  const setDisabled = (disabled: boolean): void =>
    turn.mutate(
      { body: { change: { kind: 'switch-server', name, disabled }, target: config } },
      { onSettled: () => invalidate(afterEdits) },
    );
  const failure = restart.error ?? turn.error;
  return (
    <li className="grid gap-x-6 gap-y-2 border-b border-line py-4 md:grid-cols-[minmax(0,1fr)_auto]">
      <div className="flex min-w-0 gap-3">
        <span className="mt-1 text-soft [&_svg]:size-4">
          {transport === 'http' ? <Globe /> : <SquareTerminal />}
        </span>
        <div className="min-w-0">
          <h3 className="flex flex-wrap items-center gap-x-2 font-serif text-lg">
            <Link to="/tools" search={{ server: name }} className="hover:underline">
              {name}
            </Link>
            <ServerState state={state} />
            {server.changed.length === 0 ? null : (
              <Link
                to="/tools"
                search={{ server: name }}
                className="font-sans text-xs text-amber hover:underline"
              >
                {formatCount(server.changed.length, 'tool')} changed
              </Link>
            )}
          </h3>
          <p className="font-mono text-xs break-all text-soft">{target}</p>
          <p className="mt-0.5 text-xs text-faint tabular">{factsOf(server)}</p>
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-2 max-md:pl-7">
        {state === 'untrusted' ? (
          <Link to="/settings" hash="trust" className={buttonClass('plain', true)}>
            Review and approve
          </Link>
        ) : (
          <>
            <Link to="/tools" search={{ server: name }} className={buttonClass('quiet', true)}>
              Log and details
            </Link>
            <Button
              small
              icon={<RotateCw />}
              disabled={state === 'disabled' || restart.isPending}
              onClick={() => restart.mutate({ name }, { onSettled: () => invalidate(afterEdits) })}
            >
              {restart.isPending ? 'Restarting' : 'Restart'}
            </Button>
          </>
        )}
        <Switch
          label={`Use ${name}`}
          checked={state !== 'disabled'}
          disabled={turn.isPending}
          onChange={(on) => setDisabled(!on)}
        />
      </div>
      {error === null || state === 'ready' ? null : (
        <p className="flex gap-2 pl-7 text-sm text-danger md:col-span-2">
          <TriangleAlert className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0 break-words whitespace-pre-line">
            <HubText>{`${name} ${error}`}</HubText>
          </span>
        </p>
      )}
      {failure ? (
        <div className="pl-7 md:col-span-2">
          <ErrorNote error={failure} />
        </div>
      ) : null}
    </li>
  );
}

const sinceWords: Partial<Record<UpstreamStatus['state'], string>> = {
  ready: 'started',
  idle: 'stopped',
  failed: 'failed',
};

function factsOf({
  tools,
  prompts,
  resources,
  title,
  since,
  state,
  workspace,
  shared,
}: UpstreamStatus): string {
  const offers = [
    tools === null ? null : formatCount(tools, 'tool'),
    prompts ? formatCount(prompts, 'prompt') : null,
    resources ? formatCount(resources, 'resource') : null,
  ].filter((each) => each !== null);
  return [
    offers.length === 0 ? 'not reached yet' : offers.join(', '),
    title,
    since === null || state === 'disabled' ? null : `${sinceWords[state] ?? 'changed'} ${formatAgo(since)}`,
    workspace === null ? 'your own config' : null,
    shared ? null : 'one for each client',
  ]
    .filter((each) => each !== null && each !== '')
    .join(' · ');
}

/** Removes a server from its config; the toast takes it back. */
export async function removeServer({ name, workspace }: UpstreamStatus): Promise<void> {
  const target = workspace === null ? 'user' : 'workspace';
  const edit = await call('applyConfig', { body: { change: { kind: 'remove-server', name }, target } });
  invalidate(afterEdits);
  notify(`Removed ${name} from the config.`, () => void undoEdit(edit, target));
}
