import { useHubQuery, useKept } from '../../../data/queries.ts';
import { ErrorNote, Skeleton } from '../../../kit/feedback.tsx';
import { formatAgo } from '../../../kit/numbers.ts';
import { useAgentDraft } from '../draft/agent-draft.tsx';
import { AgentAddress } from './agent-address.tsx';
import { ClientRow } from './client-row.tsx';

/** How people use this agent from their own programs. */
export function ConnectTab() {
  const { agent } = useAgentDraft();
  const listed = useHubQuery('listClients', {});
  const clients = useKept(listed.data);
  return (
    <div className="mx-auto grid grid-cols-[minmax(0,1fr)] max-w-3xl gap-10 px-4 py-6 sm:px-6">
      <section aria-labelledby="clients" className="grid gap-3">
        <div>
          <h2 id="clients" className="font-serif text-lg">
            Clients on this machine
          </h2>
          <p className="mt-1 text-sm text-soft">
            Connect a client to {agent.name} only. It sees this agent&rsquo;s prompt and tools, and nothing
            else in the zoo.
          </p>
        </div>
        {listed.error ? <ErrorNote error={listed.error} /> : null}
        {clients === undefined ? (
          <Skeleton lines={6} />
        ) : (
          <ul className="border-t border-line">
            {clients.clients
              .toSorted((a, b) => Number(b.installed) - Number(a.installed))
              .map((client) => (
                <ClientRow key={client.id} client={client} agentId={agent.id} />
              ))}
          </ul>
        )}
        {clients?.others
          .filter(({ agentId }) => agentId === agent.id)
          .map(({ name, lastAt }) => (
            <p key={name} className="text-sm text-soft">
              Also seen: <span className="text-ink">{name}</span>, {formatAgo(lastAt)}.
            </p>
          ))}
      </section>
      <AgentAddress agentId={agent.id} />
    </div>
  );
}
