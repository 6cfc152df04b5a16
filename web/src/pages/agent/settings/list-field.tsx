import { Plus, X } from 'lucide-react';
import { type SubmitEvent, useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { Field, TextInput } from '../../../kit/field.tsx';

interface ListFieldProps {
  label: string;
  hint: string;
  placeholder: string;
  items: readonly string[];
  disabled: boolean;
  /** `said` is the toast for a removed item. */
  onChange: (items: string[], said?: string) => void;
}

/** A short list of texts, each removed by its own button, and a field that adds one. */
export function ListField({ label, hint, placeholder, items, disabled, onChange }: ListFieldProps) {
  const [text, setText] = useState('');
  const add = (event: SubmitEvent): void => {
    event.preventDefault();
    const item = text.trim();
    if (item === '' || items.includes(item)) return;
    onChange([...items, item]);
    setText('');
  };
  return (
    <div className="grid gap-2">
      <form onSubmit={add}>
        <Field label={label} hint={hint}>
          {(ids) => (
            <span className="flex gap-2">
              <TextInput
                {...ids}
                className="font-mono"
                placeholder={placeholder}
                value={text}
                disabled={disabled}
                onChange={({ target }) => setText(target.value)}
              />
              <Button type="submit" icon={<Plus />} disabled={disabled || text.trim() === ''}>
                Add
              </Button>
            </span>
          )}
        </Field>
      </form>
      <ul className="flex flex-wrap gap-1.5">
        {items.map((item) => (
          <li
            key={item}
            className="inline-flex items-center gap-1 rounded-sm border border-line bg-wash pl-2 font-mono text-xs"
          >
            {item}
            <button
              type="button"
              aria-label={`Remove ${item}`}
              disabled={disabled}
              className="grid size-6 place-items-center text-soft hover:text-ink disabled:hidden"
              onClick={() =>
                onChange(
                  items.filter((other) => other !== item),
                  `Removed ${item}.`,
                )
              }
            >
              <X className="size-3" />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
