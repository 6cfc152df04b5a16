import { AppWindow } from 'lucide-react';
import { useHubQuery } from '../../data/queries.ts';
import { FilterSelect } from '../../kit/selects/filter-select.tsx';

interface ClientFilterProps {
  /** Undefined for all clients. */
  value: string | undefined;
  onChange: (client: string | undefined) => void;
}

/** Narrows the calls to one client, by the name that it gives itself. */
export function ClientFilter(props: ClientFilterProps) {
  const { data } = useHubQuery('listClients', {});
  const seen = [...(data?.clients.flatMap((client) => client.seen) ?? []), ...(data?.others ?? [])];
  const names = new Set(seen.map(({ name }) => name));
  if (props.value !== undefined) names.add(props.value);
  return (
    <FilterSelect
      {...props}
      label="Client"
      icon={<AppWindow aria-hidden="true" />}
      all="All clients"
      options={[...names].toSorted().map((name) => ({ value: name, label: name }))}
    />
  );
}
