import { Plug } from 'lucide-react';
import type { ClientSighting, ClientStatus } from '../../../../src/contract/operations/clients.ts';
import { invalidate, useHubMutation, useHubQuery } from '../../data/queries.ts';
import { Button } from '../../kit/button.tsx';
import { Copyable } from '../../kit/copyable.tsx';
import { Badge, ErrorNote, Skeleton } from '../../kit/feedback.tsx';
import { formatAgo, formatMoment } from '../../kit/numbers.ts';
import { notify } from '../../kit/toasts.tsx';
import { Section } from './section.tsx';

const refresh = (): void => invalidate(['listClients']);

/** The programs on this machine that can use the hub, and when each last did. */
export function ClientsSection() {
  const { data, error } = useHubQuery('listClients', {});
  const here = data?.clients.filter(({ installed, files }) => installed || isConnected(files)) ?? [];
  const rest = data?.clients.filter((client) => !here.includes(client)) ?? [];
  return (
    <Section
      id="clients"
      title="Clients"
      about="The MCP clients found on this machine. Connecting one adds an entry to its config file; everything else in the file stays as it is."
    >
      {error ? <ErrorNote error={error} /> : null}
      {data === undefined && !error ? <Skeleton /> : null}
      {data && here.length === 0 ? (
        <p className="text-sm text-soft">None of the known clients was found on this machine.</p>
      ) : null}
      {here.length === 0 ? null : (
        <ul className="border-t border-line" aria-label="Clients on this machine">
          {here.map((client) => (
            <ClientRow key={client.id} client={client} />
          ))}
        </ul>
      )}
      {data && data.others.length > 0 ? <Others sightings={data.others} /> : null}
      {rest.length === 0 ? null : (
        <div className="grid gap-1.5 text-sm text-soft">
          {here.length === 0 ? 'Known' : 'Not found'}: {rest.map(({ title }) => title).join(', ')}. To connect
          one anyway:
          <Copyable text={`zoo connect ${rest[0]?.id ?? ''}`} />
        </div>
      )}
    </Section>
  );
}

const isConnected = (files: ClientStatus['files']): boolean =>
  files.some(({ connections }) => connections.length > 0);

function ClientRow({ client: { id, title, files, seen } }: { client: ClientStatus }) {
  const connect = useHubMutation('connectClient');
  const disconnect = useHubMutation('disconnectClient');
  const connected = files.filter(({ connections }) => connections.length > 0);
  const whole = connected.find(({ connections }) => connections.some(({ agent }) => agent === null));
  const problem = files.find((file) => file.problem !== null)?.problem?.message;
  const error = connect.error ?? disconnect.error;
  const add = (): void =>
    connect.mutate(
      { client: id },
      {
        onSuccess: () => {
          refresh();
          notify(`Connected ${title}.`, () => disconnect.mutate({ client: id }, { onSuccess: refresh }));
        },
      },
    );
  const remove = (scope: 'user' | 'project'): void =>
    disconnect.mutate(
      { client: id, body: { scope } },
      {
        onSuccess: () => {
          refresh();
          notify(`Disconnected ${title}.`, () =>
            connect.mutate({ client: id, body: { scope } }, { onSuccess: refresh }),
          );
        },
      },
    );
  return (
    <li className="grid gap-2 border-b border-line py-2.5 text-sm">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="min-w-0 flex-1 basis-56">
          <span className="flex flex-wrap items-center gap-x-2">
            {title}
            {connected.length > 0 ? <Badge tone="leaf">connected</Badge> : null}
          </span>
          <span className="block text-xs text-soft">{seenWords(seen)}</span>
          {connected.map(({ file, connections }) => (
            <span key={file} className="block truncate font-mono text-xs text-faint" title={file}>
              {file} {connections.map(({ agent }) => agent ?? 'whole hub').join(', ')}
            </span>
          ))}
        </span>
        {whole ? (
          <Button small disabled={disconnect.isPending} onClick={() => remove(whole.scope)}>
            Disconnect
          </Button>
        ) : (
          <Button small look="primary" icon={<Plug />} disabled={connect.isPending} onClick={add}>
            Connect {title}
          </Button>
        )}
      </div>
      {problem === undefined ? null : <p className="text-xs text-danger">{problem}</p>}
      {error ? <ErrorNote error={error} /> : null}
    </li>
  );
}

function seenWords([newest]: readonly ClientSighting[]): string {
  if (!newest) return 'Has not used the hub yet';
  const what = newest.agentId === null ? 'the whole hub' : newest.agentId;
  return `Used ${what} ${formatAgo(newest.lastAt)}`;
}

/** Programs that used the hub and are not on the list. */
function Others({ sightings }: { sightings: readonly ClientSighting[] }) {
  return (
    <div className="grid gap-1 text-sm">
      <h3 className="font-medium">Other programs that used the hub</h3>
      <ul className="text-soft">
        {sightings.map(({ name, agentId, lastAt }) => (
          <li key={`${name} ${agentId ?? ''}`} title={formatMoment(lastAt)}>
            {name}, {agentId ?? 'whole hub'}, {formatAgo(lastAt)}
          </li>
        ))}
      </ul>
    </div>
  );
}
