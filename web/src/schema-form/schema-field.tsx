import { Plus, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button, IconButton } from '../kit/button.tsx';
import {
  asideOf,
  type FieldProps,
  type FormFacts,
  JsonField,
  NumberField,
  PickField,
  TextField,
} from './plain-fields.tsx';
import { hintOf, readSchema, type SchemaProperty, shapeOf } from './read-schema.ts';

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One value of a form, by the shape of its schema. */
export function SchemaField(props: FieldProps) {
  const shape = shapeOf(props.schema, props.form.root);
  if (shape.kind === 'object') return <ObjectField {...props} properties={shape.properties} />;
  if (shape.kind === 'array') return <ArrayField {...props} items={shape.items} />;
  if (shape.kind === 'choice') return <ChoiceField {...props} options={shape.options} />;
  if (shape.kind === 'json') return <JsonField {...props} />;
  if (shape.kind === 'text') return <TextField {...props} long={shape.long} />;
  if (shape.kind === 'number') return <NumberField {...props} whole={shape.whole} />;
  return <PickField {...props} values={shape.kind === 'boolean' ? [true, false] : shape.values} />;
}

function Group({
  label,
  hint,
  required,
  action,
  children,
}: {
  label: string;
  hint: string;
  required: boolean;
  action?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className="float-left flex w-full items-center justify-between gap-3 text-sm font-medium">
        {label}
        <span className="flex items-center gap-2 text-xs font-normal text-faint">
          {asideOf(required)}
          {action}
        </span>
      </legend>
      {hint === '' ? null : <p className="text-xs text-soft">{hint}</p>}
      {children}
    </fieldset>
  );
}

function ObjectField({ properties, ...props }: FieldProps & { properties: readonly SchemaProperty[] }) {
  const { label, schema, value, onChange, required, form, path } = props;
  const isThere = value !== undefined || required;
  const toggle = required ? undefined : isThere ? (
    <IconButton label={`Remove ${label}`} small disabled={form.disabled} onClick={() => onChange(undefined)}>
      <X />
    </IconButton>
  ) : (
    <Button small icon={<Plus />} disabled={form.disabled} onClick={() => onChange({})}>
      Add {label}
    </Button>
  );
  return (
    <Group label={label} hint={hintOf(schema)} required={required} action={toggle}>
      {isThere ? (
        <div className="border-l-2 border-line pl-4">
          <SchemaProperties
            properties={properties}
            value={isFields(value) ? value : {}}
            onChange={onChange}
            form={form}
            path={path}
          />
        </div>
      ) : null}
    </Group>
  );
}

function ArrayField({ items, ...props }: FieldProps & { items: Fields }) {
  const { label, schema, value, onChange, required, form, path } = props;
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  const write = (next: readonly unknown[]): void => onChange(next.length === 0 ? undefined : next);
  return (
    <Group label={label} hint={hintOf(schema)} required={required}>
      {list.map((item, index) => (
        <div key={index} className="flex items-start gap-2 border-l-2 border-line pl-4">
          <div className="min-w-0 flex-1">
            <SchemaField
              label={`${label} ${index + 1}`}
              schema={readSchema(items, form.root)}
              value={item}
              required
              form={form}
              path={`${path}[${index}]`}
              onChange={(next) => write(list.map((old, at) => (at === index ? (next ?? null) : old)))}
            />
          </div>
          <IconButton
            label={`Remove ${label} ${index + 1}`}
            small
            disabled={form.disabled}
            onClick={() => write(list.filter((_old, at) => at !== index))}
          >
            <X />
          </IconButton>
        </div>
      ))}
      <div>
        <Button
          small
          icon={<Plus />}
          disabled={form.disabled}
          onClick={() => write([...list, firstOf(items, form)])}
        >
          Add to {label}
        </Button>
      </div>
    </Group>
  );
}

/** Lists cannot hold absent values: a new item starts empty in its own way. */
function firstOf(items: Fields, { root }: FormFacts): unknown {
  const { kind } = shapeOf(readSchema(items, root), root);
  return kind === 'object' ? {} : kind === 'text' ? '' : null;
}

function ChoiceField({
  options,
  ...props
}: FieldProps & { options: readonly { label: string; schema: Fields }[] }) {
  const [chosen, setChosen] = useState(0);
  const { label, schema, required, form, onChange } = props;
  const option = options[chosen];
  return (
    <Group
      label={label}
      hint={hintOf(schema)}
      required={required}
      action={
        <select
          aria-label={`Kind of ${label}`}
          value={chosen}
          disabled={form.disabled}
          onChange={({ target }) => {
            setChosen(Number(target.value));
            onChange(undefined);
          }}
          className="h-7 max-w-64 cursor-pointer rounded-md border border-line-strong bg-sheet px-1.5 text-xs hover:bg-wash"
        >
          {options.map((each, index) => (
            <option key={index} value={index}>
              {each.label}
            </option>
          ))}
        </select>
      }
    >
      {option === undefined ? null : (
        <SchemaField {...props} key={chosen} label={option.label} schema={option.schema} />
      )}
    </Group>
  );
}

interface PropertiesProps {
  properties: readonly SchemaProperty[];
  value: Fields;
  onChange: (value: Fields) => void;
  form: FormFacts;
  path: string;
}

export function SchemaProperties({ properties, value, onChange, form, path }: PropertiesProps) {
  return (
    <div className="grid gap-4">
      {properties.map(({ name, schema, required }) => (
        <SchemaField
          key={name}
          label={name}
          schema={readSchema(schema, form.root)}
          value={value[name]}
          required={required}
          form={form}
          path={path === '' ? name : `${path}.${name}`}
          onChange={(next) => {
            const { [name]: _old, ...others } = value;
            onChange(next === undefined ? others : { ...others, [name]: next });
          }}
        />
      ))}
    </div>
  );
}
