import { LogIn, LogOut, Trash2 } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import type { UpstreamStatus } from '../../../../src/contract/operations/upstreams.ts';
import { call } from '../../data/hub.ts';
import { invalidate, useHubMutation, useHubQuery, useKept } from '../../data/queries.ts';
import { Button } from '../../kit/button.tsx';
import { ErrorNote, Skeleton } from '../../kit/feedback.tsx';
import { Sheet } from '../../kit/floating.tsx';
import { notify } from '../../kit/toasts.tsx';
import { lazyPart } from '../../kit/load-script.ts';
import { removeServer } from './server-row.tsx';
import { ServerState } from './server-state.tsx';

const TextDiff = lazyPart(async () => ({
  default: (await import('../../kit/editor/text-diff.tsx')).TextDiff,
}));

/** Poll interval of the open log: servers may print at any time. */
const LOG_MS = 1500;
const LOGIN_MS = 1000;

/** A server in full: its changed tools, its sign-in, its last lines. */
export function ServerSheet({
  server,
  onClose,
}: {
  server: UpstreamStatus | undefined;
  onClose: () => void;
}) {
  const shown = useKept(server);
  return (
    <Sheet
      open={server !== undefined}
      onClose={onClose}
      title={shown?.name ?? 'Server'}
      wide
      footer={
        shown === undefined ? undefined : (
          <Button
            look="danger"
            icon={<Trash2 />}
            onClick={() => {
              onClose();
              void removeServer(shown);
            }}
          >
            Remove from config
          </Button>
        )
      }
    >
      {shown === undefined ? null : <ServerFacts server={shown} />}
    </Sheet>
  );
}

function ServerFacts({ server }: { server: UpstreamStatus }) {
  const { name, state, target, error, transport, changed } = server;
  const isRead = state !== 'disabled' && state !== 'untrusted';
  return (
    <div className="grid gap-7">
      <div className="grid gap-2">
        <p className="flex flex-wrap items-center gap-2">
          <ServerState state={state} />
          <span className="font-mono text-xs break-all text-soft">{target}</span>
        </p>
        {error === null || state === 'ready' ? null : <ErrorNote error={new Error(`${name} ${error}`)} />}
      </div>
      {changed.length > 0 && isRead ? <Changes server={server} /> : null}
      {transport === 'http' && isRead ? <Login name={name} /> : null}
      {isRead ? <Log server={server} /> : null}
    </div>
  );
}

function Changes({ server: { name, pinned } }: { server: UpstreamStatus }) {
  const { data, error } = useHubQuery('listToolChanges', { name });
  const accept = useHubMutation('acceptTools');
  const take = (tool?: string): void =>
    accept.mutate(
      { name, ...(tool === undefined ? {} : { body: { tool } }) },
      { onSuccess: () => invalidate(['listToolChanges', 'listUpstreams', 'listTools']) },
    );
  return (
    <section className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-serif text-lg">Changed tools</h3>
        <Button small onClick={() => take()} disabled={accept.isPending}>
          Accept all
        </Button>
      </div>
      <p className="text-sm text-soft">
        The server describes these differently than when you last used or accepted them.{' '}
        {pinned ? 'They are held back until you accept them.' : 'They can still be called.'}
      </p>
      {(error ?? accept.error) ? <ErrorNote error={error ?? accept.error ?? new Error()} /> : null}
      {data?.changes.map(({ tool, before, after }) => (
        <div key={tool} className="grid gap-2">
          <div className="flex items-center justify-between gap-2">
            <h4 className="font-mono text-sm">{tool}</h4>
            <Button small onClick={() => take(tool)} disabled={accept.isPending}>
              Accept
            </Button>
          </div>
          <Suspense fallback={<Skeleton />}>
            <TextDiff before={before ?? ''} after={after} label={`What changed in ${tool}`} />
          </Suspense>
        </div>
      ))}
    </section>
  );
}

const refreshLogin = (): void => invalidate(['getUpstreamLogin', 'listUpstreams', 'listTools']);

function Login({ name }: { name: string }) {
  const login = useHubQuery('getUpstreamLogin', { name });
  const [error, setError] = useState<Error | null>(null);
  const signIn = async (): Promise<void> => {
    setError(null);
    // Opened at once: a browser blocks windows that open later without a click.
    const page = window.open('about:blank', '_blank');
    try {
      const { url } = await call('loginUpstream', { name });
      if (url !== null && page) page.location.href = url;
      else page?.close();
      refreshLogin();
    } catch (failure) {
      page?.close();
      setError(failure instanceof Error ? failure : new Error(String(failure)));
    }
  };
  const signOut = async (): Promise<void> => {
    await call('logoutUpstream', { name });
    refreshLogin();
    notify(`Signed out of ${name}.`);
  };
  const state = login.data?.state;
  const { refetch } = login;
  // The hub answers when the sign-in is over, or after a while to be asked again.
  useEffect(() => {
    if (state !== 'waiting') return undefined;
    const timer = setInterval(() => void refetch({ cancelRefetch: false }), LOGIN_MS);
    return () => {
      clearInterval(timer);
      invalidate(['listUpstreams', 'listTools']);
    };
  }, [state, refetch]);
  return (
    <section className="grid justify-items-start gap-2">
      <h3 className="font-serif text-lg">Sign-in</h3>
      <p className="text-sm text-soft">{loginWords[state ?? 'none']}</p>
      {state === 'waiting' && login.data?.url ? (
        <a href={login.data.url} target="_blank" rel="noreferrer" className="text-sm text-leaf underline">
          Open the sign-in page again
        </a>
      ) : null}
      {login.data?.error ? <ErrorNote error={new Error(login.data.error)} /> : null}
      {error ? <ErrorNote error={error} /> : null}
      <div className="flex gap-2">
        <Button icon={<LogIn />} onClick={() => void signIn()}>
          {state === 'done' ? 'Sign in again' : 'Sign in'}
        </Button>
        {state === 'done' ? (
          <Button look="quiet" icon={<LogOut />} onClick={() => void signOut()}>
            Sign out
          </Button>
        ) : null}
      </div>
    </section>
  );
}

const loginWords = {
  none: 'For servers that require OAuth. The token is stored in the hub’s home folder.',
  waiting: 'Waiting for you to sign in, in the other tab.',
  done: 'Signed in. The token is stored in the hub’s home folder.',
  failed: 'The last sign-in failed.',
};

function Log({ server: { name, error, transport } }: { server: UpstreamStatus }) {
  const { data, error: failure, refetch } = useHubQuery('getUpstreamLog', { name });
  useEffect(() => {
    const timer = setInterval(() => void refetch(), LOG_MS);
    return () => clearInterval(timer);
  }, [refetch]);
  const notFound = error?.includes('not found') === true && transport === 'stdio';
  return (
    <section className="grid gap-2">
      <h3 className="font-serif text-lg">Log</h3>
      {failure ? <ErrorNote error={failure} /> : null}
      {data === undefined ? (
        <Skeleton />
      ) : data.text === '' ? (
        <p className="text-sm text-soft">
          {transport === 'http' ? 'Logs of remote servers are not available.' : 'No output yet.'}
        </p>
      ) : (
        <pre
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so it has to be reachable
          tabIndex={0}
          aria-label={`What ${name} printed`}
          className="max-h-96 overflow-auto rounded-md border border-line bg-wash px-3 py-2 font-mono text-xs whitespace-pre-wrap"
        >
          {data.text}
        </pre>
      )}
      {notFound && data !== undefined ? (
        <div className="grid gap-1 text-sm">
          <p>The hub looks for commands in these folders (its PATH):</p>
          <ul className="font-mono text-xs text-soft">
            {data.searchPath.map((folder) => (
              <li key={folder} className="break-all">
                {folder}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </section>
  );
}
