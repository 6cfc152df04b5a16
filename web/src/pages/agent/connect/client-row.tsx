import { ExternalLink, Plug, Unplug } from 'lucide-react';
import { useState } from 'react';
import type { ClientStatus } from '../../../../../src/contract/operations/clients.ts';
import { invalidate, useHubMutation, useHubQuery } from '../../../data/queries.ts';
import { Button, buttonClass } from '../../../kit/button.tsx';
import { Copyable } from '../../../kit/copyable.tsx';
import { Badge, ErrorNote, Skeleton } from '../../../kit/feedback.tsx';
import { formatAgo } from '../../../kit/numbers.ts';
import { notify } from '../../../kit/toasts.tsx';

interface ClientRowProps {
  client: ClientStatus;
  agentId: string;
}

const refresh = (): void => invalidate(['listClients']);

/** One client: whether it is here, connected and seen, and how to connect it. */
export function ClientRow({ client, agentId }: ClientRowProps) {
  const [isOpen, setOpen] = useState(false);
  const connect = useHubMutation('connectClient');
  const disconnect = useHubMutation('disconnectClient');
  const { id, title, installed } = client;
  const scopes = client.files.filter(({ connections }) =>
    connections.some((connection) => connection.agent === agentId),
  );
  const isConnected = scopes.length > 0;
  const body = { agent: agentId };
  const start = (): void =>
    connect.mutate(
      { client: id, body },
      {
        onSuccess: ({ file }) => {
          refresh();
          notify(`Connected ${title}: ${file}`, () =>
            disconnect.mutate({ client: id, body }, { onSuccess: refresh }),
          );
        },
      },
    );
  const stop = (): void => {
    const entry = { client: id, body: { ...body, scope: scopes[0]?.scope ?? 'user' } };
    disconnect.mutate(entry, {
      onSuccess: ({ file }) => {
        refresh();
        notify(`Disconnected ${title}: ${file}`, () => connect.mutate(entry, { onSuccess: refresh }));
      },
    });
  };
  const failure = connect.error ?? disconnect.error;
  return (
    <li className="grid gap-2 border-b border-line py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          <h3 className="flex flex-wrap items-center gap-2 font-medium">
            {title}
            {isConnected ? <Badge tone="leaf">connected</Badge> : null}
            {installed ? null : <Badge>not found</Badge>}
          </h3>
          <p className="text-xs text-soft">{seenWords(client, agentId, isConnected)}</p>
        </div>
        <div className="flex flex-row-reverse flex-wrap items-center gap-2 sm:flex-row">
          <Button small look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide config entry' : 'Show config entry'}
          </Button>
          {isConnected ? (
            <Button small icon={<Unplug />} disabled={disconnect.isPending} onClick={stop}>
              Disconnect
            </Button>
          ) : (
            <Button
              small
              look={installed ? 'primary' : 'plain'}
              icon={<Plug />}
              disabled={connect.isPending}
              onClick={start}
            >
              Connect {title}
            </Button>
          )}
        </div>
      </div>
      {client.files
        .filter(({ problem }) => problem !== null)
        .map(({ file, problem }) => (
          <ErrorNote key={file} error={new Error(`${file}: ${problem?.message ?? ''}`)} />
        ))}
      {failure ? <ErrorNote error={failure} /> : null}
      {isOpen ? <Entry client={id} agentId={agentId} /> : null}
    </li>
  );
}

/** Live: the hub tells when a client calls. */
function seenWords({ seen }: ClientStatus, agentId: string, isConnected: boolean): string {
  const here = seen.find((each) => each.agentId === agentId);
  if (here) return `Used this agent ${formatAgo(here.lastAt)}.`;
  const whole = seen.find((each) => each.agentId === null);
  if (whole) return `Connected to the whole zoo, last used ${formatAgo(whole.lastAt)}.`;
  if (isConnected) return 'Waiting for its first call. Restart the client if it was already open.';
  return seen.length > 0 ? 'Used other agents.' : 'Not seen yet.';
}

/** For those who write their config by hand. */
function Entry({ client, agentId }: { client: string; agentId: string }) {
  const { data, error } = useHubQuery('getClientEntry', { client, agent: agentId });
  if (error) return <ErrorNote error={error} />;
  if (data === undefined) return <Skeleton />;
  return (
    <div className="grid gap-2 text-sm">
      <p className="text-soft">
        For <span className="font-mono text-xs break-all text-ink">{data.file}</span>:
      </p>
      <Copyable text={data.snippet} />
      <p className="text-soft">{data.next}</p>
      <div className="flex flex-wrap items-center gap-3">
        {data.link === null ? null : (
          <a href={data.link} className={buttonClass('plain', true)}>
            <ExternalLink /> Install in one click
          </a>
        )}
        <span className="text-xs text-soft">In a terminal:</span>
        <code className="font-mono text-xs">
          zoo connect {client} --agent {agentId}
        </code>
      </div>
    </div>
  );
}
