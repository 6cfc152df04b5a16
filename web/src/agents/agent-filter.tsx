import { Bot } from 'lucide-react';
import { useHubQuery } from '../data/queries.ts';
import { FilterSelect } from '../kit/selects/filter-select.tsx';

interface AgentFilterProps {
  /** Undefined for all agents. */
  value: string | undefined;
  onChange: (agent: string | undefined) => void;
}

/** Narrows a list to one agent. */
export function AgentFilter(props: AgentFilterProps) {
  const agents = useHubQuery('listAgents', {}).data?.agents ?? [];
  return (
    <FilterSelect
      {...props}
      label="Agent"
      icon={<Bot aria-hidden="true" />}
      all="All agents"
      options={agents.map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}
