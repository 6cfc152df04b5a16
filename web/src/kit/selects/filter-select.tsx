import type { ReactNode } from 'react';
import { PlainSelect } from './plain-select.tsx';

interface FilterSelectProps {
  label: string;
  icon: ReactNode;
  /** The first option, which filters nothing: "All agents". */
  all: string;
  /** Undefined for all. */
  value: string | undefined;
  options: readonly { value: string; label: string }[];
  onChange: (value: string | undefined) => void;
}

/** Narrows a list by one of its properties. */
export function FilterSelect({ label, icon, all, value, options, onChange }: FilterSelectProps) {
  return (
    <span className="inline-flex items-center gap-1.5 text-faint [&_svg]:size-4">
      {icon}
      <PlainSelect
        label={label}
        value={value ?? ''}
        options={[{ value: '', label: all }, ...options]}
        onChange={(chosen) => onChange(chosen === '' ? undefined : chosen)}
      />
    </span>
  );
}
