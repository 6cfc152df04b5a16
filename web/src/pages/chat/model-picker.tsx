import { useHubQuery } from '../../data/queries.ts';
import { PlainSelect } from '../../kit/selects/plain-select.tsx';

interface ModelPickerProps {
  /** Null for the model of the agent. */
  value: string | null;
  onChange: (model: string | null) => void;
  label?: string;
}

const OWN = 'agent';

/** Models of providers that answer. Those without a working key are not offered. */
export function ModelPicker({ value, onChange, label = 'Model' }: ModelPickerProps) {
  const { data } = useHubQuery('listModels', {});
  const models = data?.models ?? [];
  const own = { value: OWN, label: "Agent's model" };
  const offered = value === null || models.includes(value) ? models : [value, ...models];
  return (
    <PlainSelect
      label={label}
      value={value ?? OWN}
      options={[own, ...offered.map((model) => ({ value: model, label: model }))]}
      onChange={(next) => onChange(next === OWN ? null : next)}
    />
  );
}
