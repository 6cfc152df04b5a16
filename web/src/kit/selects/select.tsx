import { Select as BaseSelect } from '@base-ui/react/select';
import { Check, ChevronsUpDown } from 'lucide-react';

interface Option<V extends string> {
  value: V;
  label: string;
  /** A sentence under the label in the list. */
  hint?: string;
}

interface SelectProps<V extends string> {
  /** Of the control; a `Field` around it says it by `id`. */
  label?: string;
  id?: string;
  value: V;
  options: readonly Option<V>[];
  onChange: (value: V) => void;
  disabled?: boolean;
  /** Words before the value inside of the control: "Sort: name". */
  prefix?: string;
}

/** One of a few. */
export function Select<V extends string>(props: SelectProps<V>) {
  const { label, id, value, options, onChange, disabled = false, prefix } = props;
  return (
    <BaseSelect.Root
      items={options.map((each) => ({ value: each.value, label: each.label }))}
      value={value}
      onValueChange={(next) => {
        if (next !== null) onChange(next);
      }}
      disabled={disabled}
    >
      <BaseSelect.Trigger
        id={id}
        aria-label={label}
        className="inline-flex h-8.5 items-center justify-between gap-2 rounded-md border border-line-strong bg-sheet px-2.5 text-sm transition-colors hover:bg-wash data-disabled:opacity-45"
      >
        <span className="truncate">
          {prefix === undefined ? null : <span className="text-soft">{prefix} </span>}
          <BaseSelect.Value />
        </span>
        <ChevronsUpDown className="size-3.5 text-faint" />
      </BaseSelect.Trigger>
      <BaseSelect.Portal>
        <BaseSelect.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-40">
          <BaseSelect.Popup className="max-h-80 min-w-(--anchor-width) max-w-88 overflow-y-auto rounded-lg border border-line bg-sheet p-1 shadow-float outline-none">
            {options.map((option) => (
              <BaseSelect.Item
                key={option.value}
                value={option.value}
                className="grid cursor-default grid-cols-[1rem_1fr] items-baseline gap-x-2 rounded-sm px-2 py-1.5 text-sm outline-none data-highlighted:bg-wash"
              >
                <BaseSelect.ItemIndicator className="col-start-1 self-center">
                  <Check className="size-3.5 text-leaf" />
                </BaseSelect.ItemIndicator>
                <span className="col-start-2">
                  <BaseSelect.ItemText>{option.label}</BaseSelect.ItemText>
                  {option.hint === undefined ? null : (
                    <span className="mt-0.5 block text-xs text-soft">{option.hint}</span>
                  )}
                </span>
              </BaseSelect.Item>
            ))}
          </BaseSelect.Popup>
        </BaseSelect.Positioner>
      </BaseSelect.Portal>
    </BaseSelect.Root>
  );
}
