import { Bot } from 'lucide-react';
import { useHubQuery } from '../data/queries.ts';
import { PlainSelect } from '../kit/plain-select.tsx';

interface AgentFilterProps {
  /** Undefined for all agents. */
  value: string | undefined;
  onChange: (agent: string | undefined) => void;
}

/** Narrows a list to one agent. */
export function AgentFilter({ value, onChange }: AgentFilterProps) {
  const agents = useHubQuery('listAgents', {}).data?.agents ?? [];
  return (
    <span className="inline-flex items-center gap-1.5 text-faint [&_svg]:size-4">
      <Bot aria-hidden="true" />
      <PlainSelect
        label="Agent"
        value={value ?? ''}
        options={[
          { value: '', label: 'All agents' },
          ...agents.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={(agent) => onChange(agent === '' ? undefined : agent)}
      />
    </span>
  );
}
