import { useState } from 'react';
import { Field, TextArea, TextInput } from '../kit/field.tsx';
import { PlainSelect } from '../kit/selects/plain-select.tsx';
import { hintOf } from './read-schema.ts';

type Fields = Record<string, unknown>;

/** What every field of one form needs. */
export interface FormFacts {
  root: Fields;
  problems: ReadonlyMap<string, string>;
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
const errorOf = ({ form, path }: FieldProps): string | null => form.problems.get(path) ?? null;

/** The first example or the default, as a hint of what to write. */
function placeholderOf({ examples, default: usual }: Fields): string {
  const example: unknown = Array.isArray(examples) && examples.length > 0 ? examples[0] : usual;
  return typeof example === 'string' || typeof example === 'number' ? String(example) : '';
}

export function TextField({ long, ...props }: FieldProps & { long: boolean }) {
  const { label, schema, value, onChange, required, form } = props;
  const Control = long ? TextArea : TextInput;
  return (
    <Field label={label} hint={hintOf(schema)} aside={asideOf(required)} error={errorOf(props)}>
      {(ids) => (
        <Control
          {...ids}
          placeholder={placeholderOf(schema)}
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

/** Keeps what was typed: "1." is on its way to a number, and a text that is none is reported as such. */
export function NumberField({ whole, ...props }: FieldProps & { whole: boolean }) {
  const { label, schema, value, onChange, required, form } = props;
  const [typed, setTyped] = useState('');
  const stored = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  return (
    <Field label={label} hint={hintOf(schema)} aside={asideOf(required)} error={errorOf(props)}>
      {(ids) => (
        <TextInput
          {...ids}
          placeholder={placeholderOf(schema)}
          inputMode={whole ? 'numeric' : 'decimal'}
          className="max-w-48 tabular"
          value={Object.is(numberFrom(typed), value) ? typed : stored}
          disabled={form.disabled}
          onChange={({ target }) => {
            setTyped(target.value);
            onChange(numberFrom(target.value));
          }}
        />
      )}
    </Field>
  );
}

function numberFrom(text: string): unknown {
  if (text.trim() === '') return undefined;
  return Number.isFinite(Number(text)) ? Number(text) : text;
}

export function PickField({ values, ...props }: FieldProps & { values: readonly unknown[] }) {
  const { label, schema, value, onChange, required, form } = props;
  const at = values.findIndex((each) => JSON.stringify(each) === JSON.stringify(value));
  return (
    <Field label={label} hint={hintOf(schema)} aside={asideOf(required)} error={errorOf(props)}>
      {(ids) => (
        <PlainSelect
          {...ids}
          label={label}
          value={String(at)}
          disabled={form.disabled}
          options={[
            { value: '-1', label: required ? 'Choose…' : 'Not set' },
            ...values.map((each, index) => ({ value: String(index), label: optionOf(each) })),
          ]}
          onChange={(chosen) => onChange(values[Number(chosen)])}
        />
      )}
    </Field>
  );
}

function optionOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const textOf = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, null, 2));

export function JsonField(props: FieldProps) {
  const { label, schema, value, onChange, required, form } = props;
  const [typed, setTyped] = useState({ text: textOf(value), value, isBroken: false });
  // Examples and removed items change the value from outside; then its own text is shown.
  const isOwn = (typed.value ?? null) === (value ?? null);
  const text = isOwn ? typed.text : textOf(value);
  const broken = isOwn && typed.isBroken ? 'This is not valid JSON yet.' : null;
  const write = (next: string): void => {
    try {
      const parsed: unknown = next.trim() === '' ? undefined : JSON.parse(next);
      setTyped({ text: next, value: parsed, isBroken: false });
      onChange(parsed);
    } catch {
      setTyped({ text: next, value, isBroken: true });
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
