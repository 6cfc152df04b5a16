import { ChevronsUpDown } from 'lucide-react';

interface PlainSelectProps<V extends string> {
  label: string;
  value: V;
  options: readonly { value: V; label: string }[];
  onChange: (value: V) => void;
  disabled?: boolean;
  /** Within a `Field`. */
  id?: string;
  'aria-describedby'?: string;
  'aria-invalid'?: boolean;
}

/** The browser's own list, for toolbars: nothing to load, and at home on a phone. `Select` explains its options. */
export function PlainSelect<V extends string>(props: PlainSelectProps<V>) {
  const { label, value, options, onChange, disabled = false, ...ids } = props;
  return (
    <span className="relative inline-flex min-w-0 justify-self-start">
      <select
        {...ids}
        aria-label={label}
        value={value}
        disabled={disabled}
        onChange={({ target }) => {
          const chosen = options.find((option) => option.value === target.value);
          if (chosen) onChange(chosen.value);
        }}
        className="h-8.5 w-full max-w-56 cursor-pointer truncate appearance-none rounded-md border border-line-strong bg-sheet pr-7 pl-2.5 text-sm text-ink hover:bg-wash aria-invalid:border-danger disabled:cursor-default disabled:text-faint"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronsUpDown className="pointer-events-none absolute top-2.5 right-2 size-3.5 text-faint" />
    </span>
  );
}
