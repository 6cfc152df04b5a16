import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import type { AgentSummary } from '../../../../src/contract/agent.ts';
import type { ClientSighting, ClientStatus } from '../../../../src/contract/operations/clients.ts';
import { Creature } from '../../creature/creature.tsx';
import { useHubQuery, useKept } from '../../data/queries.ts';
import { Button, buttonClass } from '../../kit/button.tsx';
import { ErrorNote, Skeleton } from '../../kit/feedback.tsx';
import { formatAgo } from '../../kit/numbers.ts';
import { ClientRow } from '../agent/connect/client-row.tsx';

/** The clients of this machine, those that are here first, and the first call of one of them. */
export function ConnectFirst({ agent }: { agent: AgentSummary }) {
  const [isAll, setAll] = useState(false);
  const listed = useHubQuery('listClients', {});
  const found = useKept(listed.data);
  if (listed.error) return <ErrorNote error={listed.error} />;
  if (found === undefined) return <Skeleton lines={4} />;
  const here = found.clients.filter(({ installed }) => installed);
  const shown = isAll || here.length === 0 ? found.clients : here;
  const seen = firstSighting(found.clients, found.others, agent.id);
  return (
    <div className="grid gap-4">
      <p className="text-sm text-soft">
        {here.length === 0
          ? 'No client was found on this machine. Choose the one that you will use.'
          : 'Found on this machine. One click writes the entry into its config, with a copy of the file kept.'}
      </p>
      <ul className="border-t border-line">
        {shown.map((client) => (
          <ClientRow key={client.id} client={client} agentId={agent.id} />
        ))}
      </ul>
      {shown.length === found.clients.length ? null : (
        <div>
          <Button small look="quiet" onClick={() => setAll(true)}>
            Show all {found.clients.length} clients
          </Button>
        </div>
      )}
      <FirstCall agent={agent} seen={seen} />
    </div>
  );
}

interface Seen extends ClientSighting {
  title: string;
}

function firstSighting(
  clients: readonly ClientStatus[],
  others: readonly ClientSighting[],
  agentId: string,
): Seen | undefined {
  const all = [
    ...clients.flatMap(({ title, seen }) => seen.map((each) => ({ ...each, title }))),
    ...others.map((each) => ({ ...each, title: each.name })),
  ];
  return all.find((each) => each.agentId === agentId);
}

/** Shows the first call as soon as it arrives, by events of the hub. */
function FirstCall({ agent, seen }: { agent: AgentSummary; seen: Seen | undefined }) {
  return (
    <div role="status" className="flex flex-wrap items-center gap-4">
      <Creature seed={agent.appearanceSeed} size={72} mood={seen === undefined ? 'asleep' : 'awake'} />
      {seen === undefined ? (
        <p className="min-w-0 flex-1 basis-64 text-sm text-soft">
          Waiting for the first call. Restart the client, then ask it for its tools, or pick {agent.name} from
          its prompts.
        </p>
      ) : (
        <div className="grid min-w-0 flex-1 basis-64 gap-2">
          <p className="flex items-center gap-2 text-base">
            <CircleCheck className="size-4 text-leaf" />
            <span>
              {seen.title} has called {agent.name}, {formatAgo(seen.lastAt)}. It works.
            </span>
          </p>
          <div className="flex flex-wrap gap-2">
            <Link to="/agent/$id/persona" params={{ id: agent.id }} className={buttonClass('primary')}>
              Shape {agent.name}
            </Link>
            <Link to="/" className={buttonClass()}>
              Go to the zoo
            </Link>
          </div>
        </div>
      )}
    </div>
  );
}
