import { useState } from 'react';
import { Field, TextArea, TextInput } from '../kit/field.tsx';
import { hintOf } from './read-schema.ts';

type Fields = Record<string, unknown>;

/** What every field of one form needs. */
export interface FormFacts {
  root: Fields;
  missing: readonly string[];
  disabled: boolean;
}

export interface FieldProps {
  label: string;
  /** Its references followed. */
  schema: Fields;
  value: unknown;
  /** Undefined removes the value. */
  onChange: (value: unknown) => void;
  required: boolean;
  form: FormFacts;
  path: string;
}

export const asideOf = (required: boolean): string => (required ? 'required' : 'optional');
const errorOf = ({ form, path }: FieldProps): string | null =>
  form.missing.includes(path) ? 'Fill this in: the tool needs it.' : null;

export function TextField({ long, ...props }: FieldProps & { long: boolean }) {
  const { label, schema, value, onChange, required, form } = props;
  const Control = long ? TextArea : TextInput;
  return (
    <Field label={label} hint={hintOf(schema)} aside={asideOf(required)} error={errorOf(props)}>
      {(ids) => (
        <Control
          {...ids}
          value={typeof value === 'string' ? value : ''}
          disabled={form.disabled}
          onChange={({ target }: { target: { value: string } }) =>
            onChange(target.value === '' ? undefined : target.value)
          }
        />
      )}
    </Field>
  );
}

export function NumberField({ whole, ...props }: FieldProps & { whole: boolean }) {
  const { label, schema, value, onChange, required, form } = props;
  return (
    <Field label={label} hint={hintOf(schema)} aside={asideOf(required)} error={errorOf(props)}>
      {(ids) => (
        <TextInput
          {...ids}
          inputMode={whole ? 'numeric' : 'decimal'}
          className="max-w-48 tabular"
          value={typeof value === 'number' || typeof value === 'string' ? value : ''}
          disabled={form.disabled}
          // A text that is no number yet ("-", "1.") stays as it is typed; the hub refuses it if it is sent.
          onChange={({ target }) => onChange(numberFrom(target.value))}
        />
      )}
    </Field>
  );
}

function numberFrom(text: string): unknown {
  if (text.trim() === '') return undefined;
  return String(Number(text)) === text.trim() ? Number(text) : text;
}

export function PickField({ values, ...props }: FieldProps & { values: readonly unknown[] }) {
  const { label, schema, value, onChange, required, form } = props;
  const at = values.findIndex((each) => JSON.stringify(each) === JSON.stringify(value));
  return (
    <Field label={label} hint={hintOf(schema)} aside={asideOf(required)} error={errorOf(props)}>
      {(ids) => (
        <select
          {...ids}
          value={at}
          disabled={form.disabled}
          onChange={({ target }) => onChange(values[Number(target.value)])}
          className="h-8.5 max-w-72 cursor-pointer rounded-md border border-line-strong bg-sheet px-2 text-sm hover:bg-wash"
        >
          <option value={-1}>{required ? 'Choose…' : 'Not set'}</option>
          {values.map((each, index) => (
            <option key={index} value={index}>
              {typeof each === 'string' ? each : JSON.stringify(each)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function JsonField(props: FieldProps) {
  const { label, schema, value, onChange, required, form } = props;
  const [text, setText] = useState(() => (value === undefined ? '' : JSON.stringify(value, null, 2)));
  const [broken, setBroken] = useState<string | null>(null);
  const write = (next: string): void => {
    setText(next);
    try {
      onChange(next.trim() === '' ? undefined : JSON.parse(next));
      setBroken(null);
    } catch {
      setBroken('This is not valid JSON yet.');
    }
  };
  return (
    <Field
      label={label}
      hint={`${hintOf(schema)} JSON.`.trim()}
      aside={asideOf(required)}
      error={broken ?? errorOf(props)}
    >
      {(ids) => (
        <TextArea
          {...ids}
          className="font-mono text-xs"
          value={text}
          disabled={form.disabled}
          onChange={({ target }) => write(target.value)}
        />
      )}
    </Field>
  );
}
