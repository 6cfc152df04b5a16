import { Plus, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button, IconButton } from '../kit/button.tsx';
import { isRecord } from '../kit/is-record.ts';
import { PlainSelect } from '../kit/selects/plain-select.tsx';
import {
  asideOf,
  type FieldProps,
  type FormFacts,
  JsonField,
  NumberField,
  PickField,
  TextField,
} from './plain-fields.tsx';
import { type FormShape, hintOf, readSchema, type SchemaProperty, shapeOf } from './read-schema.ts';

type Fields = Record<string, unknown>;

/** One value of a form, by the shape of its schema. */
export function SchemaField(props: FieldProps) {
  const shape = shapeOf(props.schema, props.form.root);
  if (shape.kind === 'object') return <ObjectField {...props} properties={shape.properties} />;
  if (shape.kind === 'array') return <ArrayField {...props} shape={shape} />;
  if (shape.kind === 'choice') return <ChoiceField {...props} options={shape.options} />;
  if (shape.kind === 'json') return <JsonField {...props} />;
  if (shape.kind === 'text') return <TextField {...props} long={shape.long} />;
  if (shape.kind === 'number') return <NumberField {...props} whole={shape.whole} />;
  return <PickField {...props} values={shape.kind === 'boolean' ? [true, false] : shape.values} />;
}

interface GroupProps {
  field: FieldProps;
  action?: ReactNode;
  children?: ReactNode;
}

function Group({ field: { label, schema, required, form, path }, action, children }: GroupProps) {
  const hint = hintOf(schema);
  const problem = form.problems.get(path);
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
      {problem === undefined ? null : <p className="text-xs text-danger">{problem}</p>}
    </fieldset>
  );
}

function ObjectField({ properties, ...props }: FieldProps & { properties: readonly SchemaProperty[] }) {
  const { label, value, onChange, required, form, path } = props;
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
    <Group field={props} action={toggle}>
      {isThere ? (
        <div className="border-l-2 border-line pl-4">
          <SchemaProperties
            properties={properties}
            value={isRecord(value) ? value : {}}
            onChange={onChange}
            form={form}
            path={path}
          />
        </div>
      ) : null}
    </Group>
  );
}

type ArrayShape = Extract<FormShape, { kind: 'array' }>;

function ArrayField({ shape: { places, items }, ...props }: FieldProps & { shape: ArrayShape }) {
  const { label, value, onChange, form, path } = props;
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  const schemaAt = (index: number): Fields => readSchema(places[index] ?? items, form.root);
  const write = (next: readonly unknown[]): void => onChange(next.length === 0 ? undefined : next);
  const hasMore = items !== null || list.length < places.length;
  return (
    <Group field={props}>
      {list.map((item, index) => (
        <div key={index} className="flex items-start gap-2 border-l-2 border-line pl-4">
          <div className="min-w-0 flex-1">
            <SchemaField
              label={`${label} ${index + 1}`}
              schema={schemaAt(index)}
              value={item}
              required
              form={form}
              path={`${path}[${index}]`}
              onChange={(next) => write(list.with(index, next ?? emptyOf(schemaAt(index), form)))}
            />
          </div>
          <IconButton
            label={`Remove ${label} ${index + 1}`}
            small
            disabled={form.disabled}
            onClick={() => write(list.toSpliced(index, 1))}
          >
            <X />
          </IconButton>
        </div>
      ))}
      {hasMore ? (
        <div>
          <Button
            small
            icon={<Plus />}
            disabled={form.disabled}
            onClick={() => write([...list, emptyOf(schemaAt(list.length), form)])}
          >
            Add to {label}
          </Button>
        </div>
      ) : null}
    </Group>
  );
}

/** Lists cannot hold absent values: a new item starts empty in its own way. */
function emptyOf(schema: Fields, { root }: FormFacts): unknown {
  const { kind } = shapeOf(schema, root);
  if (kind === 'object') return {};
  if (kind === 'array') return [];
  return kind === 'text' ? '' : null;
}

function ChoiceField({
  options,
  ...props
}: FieldProps & { options: readonly { label: string; schema: Fields }[] }) {
  const [chosen, setChosen] = useState(0);
  const { label, form, onChange } = props;
  const option = options[chosen];
  return (
    <Group
      field={props}
      action={
        <PlainSelect
          label={`Kind of ${label}`}
          value={String(chosen)}
          disabled={form.disabled}
          options={options.map((each, index) => ({ value: String(index), label: each.label }))}
          onChange={(next) => {
            setChosen(Number(next));
            onChange(undefined);
          }}
        />
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
          label={typeof schema['title'] === 'string' ? schema['title'] : name}
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
