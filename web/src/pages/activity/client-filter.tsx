import { AppWindow } from 'lucide-react';
import { useHubQuery } from '../../data/queries.ts';
import { PlainSelect } from '../../kit/plain-select.tsx';

interface ClientFilterProps {
  /** Undefined for all clients. */
  value: string | undefined;
  onChange: (client: string | undefined) => void;
}

/** Narrows the calls to one client, by the name that it gives itself. */
export function ClientFilter({ value, onChange }: ClientFilterProps) {
  const { data } = useHubQuery('listClients', {});
  const seen = [...(data?.clients.flatMap((client) => client.seen) ?? []), ...(data?.others ?? [])];
  const names = new Set([...seen.map(({ name }) => name), ...(value === undefined ? [] : [value])]);
  return (
    <span className="inline-flex items-center gap-1.5 text-faint [&_svg]:size-4">
      <AppWindow aria-hidden="true" />
      <PlainSelect
        label="Client"
        value={value ?? ''}
        options={[
          { value: '', label: 'All clients' },
          ...[...names].toSorted().map((name) => ({ value: name, label: name })),
        ]}
        onChange={(client) => onChange(client === '' ? undefined : client)}
      />
    </span>
  );
}
