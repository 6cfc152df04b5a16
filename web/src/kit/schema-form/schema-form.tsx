import { Plus, X } from 'lucide-react';
import { useId, useState } from 'react';
import type { JsonSchemaDefinition, ToolInputSchema } from '../../../../src/contract/parameters.ts';
import { Button, IconButton } from '../button.tsx';
import { Field, TextInput } from '../field.tsx';
import { PlainSelect } from '../plain-select.tsx';
import { type FormValues, isRecord, sampleOf } from './form-values.ts';

interface SchemaFormProps {
  schema: ToolInputSchema;
  values: FormValues;
  /** By path, as from `valueProblems`; what to show is up to the caller. */
  problems: ReadonlyMap<string, string>;
  onChange: (values: FormValues) => void;
  /** The path of this object within the form. */
  path?: string;
}

/** The fields that somebody who calls a tool fills in. */
export function SchemaForm({ schema, values, problems, onChange, path = '' }: SchemaFormProps) {
  return (
    <div className="grid gap-3">
      {Object.entries(schema.properties ?? {}).map(([name, each]) => (
        <ValueField
          key={name}
          name={name}
          path={path === '' ? name : `${path}.${name}`}
          schema={each}
          required={schema.required?.includes(name) ?? false}
          value={values[name]}
          problems={problems}
          onChange={(value) => {
            const { [name]: _before, ...others } = values;
            onChange(value === undefined ? others : { ...others, [name]: value });
          }}
        />
      ))}
    </div>
  );
}

interface ValueProps<S extends JsonSchemaDefinition = JsonSchemaDefinition> {
  name: string;
  path: string;
  schema: S;
  required: boolean;
  value: unknown;
  problems: ReadonlyMap<string, string>;
  onChange: (value: unknown) => void;
}

function ValueField(props: ValueProps) {
  const { name, path, schema, required, value, problems, onChange } = props;
  const label = schema.title ?? name;
  if (schema.type === 'object') {
    return (
      <Group {...props} label={label}>
        <SchemaForm
          schema={schema}
          values={isRecord(value) ? value : {}}
          problems={problems}
          path={path}
          onChange={(next) => onChange(Object.keys(next).length === 0 && !required ? undefined : next)}
        />
      </Group>
    );
  }
  if (schema.type === 'array') {
    return (
      <Group {...props} label={label}>
        <ItemFields {...props} schema={schema} />
      </Group>
    );
  }
  return (
    <Field
      label={label}
      aside={required ? 'required' : 'optional'}
      hint={schema.description}
      error={problems.get(path) ?? null}
    >
      {(ids) => <PlainValue {...ids} label={label} schema={schema} value={value} onChange={onChange} />}
    </Field>
  );
}

function Group({ schema, path, label, required, problems, children }: GroupProps) {
  const id = useId();
  const problem = problems.get(path);
  return (
    <div role="group" aria-labelledby={id} className="grid gap-2">
      <p id={id} className="flex items-baseline justify-between text-sm font-medium">
        {label}
        <span className="text-xs font-normal text-faint">{required ? 'required' : 'optional'}</span>
      </p>
      {schema.description === undefined ? null : <p className="text-xs text-soft">{schema.description}</p>}
      <div className="border-l-2 border-line pl-3">{children}</div>
      {problem === undefined ? null : <p className="text-xs text-danger">{problem}</p>}
    </div>
  );
}

interface GroupProps extends ValueProps {
  label: string;
  children: React.ReactNode;
}

type ArrayOnly = Extract<JsonSchemaDefinition, { type: 'array' }>;

function ItemFields({ name, path, schema, value, problems, onChange }: ValueProps<ArrayOnly>) {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  const { items } = schema;
  const schemaAt = (index: number): JsonSchemaDefinition | undefined =>
    Array.isArray(items) ? items[index] : items;
  const next = schemaAt(list.length);
  const save = (changed: readonly unknown[]): void => onChange(changed.length === 0 ? undefined : changed);
  return (
    <div className="grid gap-2">
      {list.map((item, index) => {
        const inner = schemaAt(index);
        return inner ? (
          <div key={index} className="flex items-start gap-1">
            <div className="min-w-0 flex-1">
              <ValueField
                name={`${name} ${index + 1}`}
                path={`${path}.${index}`}
                schema={inner}
                required
                value={item}
                problems={problems}
                onChange={(changed) => save(list.with(index, changed ?? emptyOf(inner)))}
              />
            </div>
            <IconButton
              label={`Remove ${name} ${index + 1}`}
              small
              onClick={() => save(list.toSpliced(index, 1))}
            >
              <X />
            </IconButton>
          </div>
        ) : null;
      })}
      {next ? (
        <Button
          small
          icon={<Plus />}
          className="justify-self-start"
          onClick={() => save([...list, sampleOf(next) ?? emptyOf(next)])}
        >
          Add to {name}
        </Button>
      ) : null}
    </div>
  );
}

function emptyOf(schema: JsonSchemaDefinition): unknown {
  const empty = { string: '', number: 0, integer: 0, boolean: false, array: [], object: {} };
  return empty[schema.type];
}

type PlainSchema = Exclude<JsonSchemaDefinition, { type: 'array' | 'object' }>;

interface PlainProps {
  id: string;
  'aria-describedby': string;
  'aria-invalid': boolean;
  label: string;
  schema: PlainSchema;
  value: unknown;
  onChange: (value: unknown) => void;
}

function PlainValue({ label, schema, value, onChange, ...ids }: PlainProps) {
  if (schema.type === 'boolean') {
    return (
      <PlainSelect
        label={label}
        value={value === true ? 'yes' : value === false ? 'no' : ''}
        options={[
          { value: '', label: 'Not set' },
          { value: 'yes', label: 'Yes' },
          { value: 'no', label: 'No' },
        ]}
        onChange={(next) => onChange(next === '' ? undefined : next === 'yes')}
      />
    );
  }
  if (schema.enum) {
    const choices: readonly (string | number)[] = schema.enum;
    return (
      <PlainSelect
        label={label}
        value={textOf(value)}
        options={[
          { value: '', label: 'Not set' },
          ...choices.map((each) => ({ value: String(each), label: String(each) })),
        ]}
        onChange={(next) => onChange(choices.find((each) => String(each) === next))}
      />
    );
  }
  const example = schema.examples?.[0] ?? schema.default;
  const placeholder = example === undefined ? '' : String(example);
  if (schema.type === 'string') {
    return (
      <TextInput
        {...ids}
        placeholder={placeholder}
        value={typeof value === 'string' ? value : ''}
        onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
      />
    );
  }
  return <NumberValue {...ids} placeholder={placeholder} value={value} onChange={onChange} />;
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

interface NumberValueProps extends Omit<PlainProps, 'label' | 'schema'> {
  placeholder: string;
}

/** Keeps what was typed: "1." is on its way to a number, and a text that is none is reported as such. */
function NumberValue({ value, onChange, ...rest }: NumberValueProps) {
  const [typed, setTyped] = useState('');
  const read = (text: string): unknown => {
    if (text.trim() === '') return undefined;
    return Number.isFinite(Number(text)) ? Number(text) : text;
  };
  const shown = Object.is(read(typed), value) ? typed : textOf(value);
  return (
    <TextInput
      {...rest}
      inputMode="decimal"
      className="tabular"
      value={shown}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange(read(target.value));
      }}
    />
  );
}
