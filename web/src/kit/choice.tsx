import { Checkbox as BaseCheckbox } from '@base-ui/react/checkbox';
import { Switch as BaseSwitch } from '@base-ui/react/switch';
import { Check } from 'lucide-react';
import { type ReactNode, useId } from 'react';

interface SwitchProps {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}

/** On or off, at once. */
export function Switch({ label, checked, onChange, disabled = false }: SwitchProps) {
  return (
    <BaseSwitch.Root
      aria-label={label}
      checked={checked}
      onCheckedChange={(next) => onChange(next)}
      disabled={disabled}
      className="relative h-4.5 w-8 shrink-0 rounded-full bg-line-strong transition-colors data-checked:bg-leaf data-disabled:opacity-45"
    >
      <BaseSwitch.Thumb className="block size-3.5 translate-x-0.5 rounded-full bg-sheet transition-transform data-checked:translate-x-4" />
    </BaseSwitch.Root>
  );
}

interface CheckboxProps {
  label: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}

export function Checkbox({ label, checked, onChange, disabled = false }: CheckboxProps) {
  const id = useId();
  return (
    <span className="inline-flex items-center gap-2">
      <BaseCheckbox.Root
        id={id}
        checked={checked}
        onCheckedChange={(next) => onChange(next)}
        disabled={disabled}
        className="grid size-4 shrink-0 place-items-center rounded-sm border border-line-strong bg-sheet data-checked:border-leaf data-checked:bg-leaf data-disabled:opacity-45"
      >
        <BaseCheckbox.Indicator className="text-on-leaf">
          <Check className="size-3" strokeWidth={3} />
        </BaseCheckbox.Indicator>
      </BaseCheckbox.Root>
      <label htmlFor={id} className="text-sm">
        {label}
      </label>
    </span>
  );
}
