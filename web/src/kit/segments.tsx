import { Toggle } from '@base-ui/react/toggle';
import { ToggleGroup } from '@base-ui/react/toggle-group';
import type { ReactNode } from 'react';

interface SegmentsProps<V extends string> {
  label: string;
  value: V;
  options: readonly { value: V; label: ReactNode }[];
  onChange: (value: V) => void;
}

/** One of two to five, all in sight. */
export function Segments<V extends string>({ label, value, options, onChange }: SegmentsProps<V>) {
  return (
    <ToggleGroup
      aria-label={label}
      value={[value]}
      onValueChange={([next]) => {
        const chosen = options.find((option) => option.value === next);
        if (chosen) onChange(chosen.value);
      }}
      className="inline-flex h-8.5 items-center gap-0.5 justify-self-start rounded-md border border-line bg-wash p-0.5"
    >
      {options.map((option) => (
        <Toggle
          key={option.value}
          value={option.value}
          className="inline-flex h-full items-center gap-1.5 rounded-sm px-2.5 text-sm text-soft transition-colors hover:text-ink data-pressed:bg-sheet data-pressed:text-ink dark:data-pressed:bg-line-strong data-pressed:shadow-lift [&_svg]:size-4"
        >
          {option.label}
        </Toggle>
      ))}
    </ToggleGroup>
  );
}
