import type { JsonSchemaDefinition } from '../../../../../../src/contract/parameters.ts';
import { Checkbox } from '../../../../kit/choice.tsx';
import { Field, TextInput } from '../../../../kit/field.tsx';
import { PlainSelect } from '../../../../kit/selects/plain-select.tsx';
import { ListField } from '../../settings/list-field.tsx';
import { type SchemaOf, withoutEmpty } from './edit-schema.ts';
import { NumberInput } from './schema-inputs.tsx';

interface DetailsProps<S extends JsonSchemaDefinition> {
  schema: S;
  disabled: boolean;
  onChange: (schema: S) => void;
}

/** Limits, default and examples of a parameter: whatever its type has. */
export function SchemaDetails({ schema, disabled, onChange }: DetailsProps<JsonSchemaDefinition>) {
  const title = (
    <Field label="Title" hint="A short label for forms; without one, the name is shown.">
      {(ids) => (
        <TextInput
          {...ids}
          value={schema.title ?? ''}
          disabled={disabled}
          onChange={({ target }) => onChange(withoutEmpty({ ...schema, title: target.value }))}
        />
      )}
    </Field>
  );
  return (
    <div className="grid gap-4 rounded-md bg-wash p-3">
      {title}
      <TypeDetails schema={schema} disabled={disabled} onChange={onChange} />
    </div>
  );
}

function TypeDetails({ schema, ...rest }: DetailsProps<JsonSchemaDefinition>) {
  if (schema.type === 'string') return <StringDetails schema={schema} {...rest} />;
  if (schema.type === 'boolean') return <BooleanDetails schema={schema} {...rest} />;
  if (schema.type === 'array') return <ArrayDetails schema={schema} {...rest} />;
  if (schema.type === 'object') return <ObjectDetails schema={schema} {...rest} />;
  return <NumberDetails schema={schema} {...rest} />;
}

function StringDetails({ schema, disabled, onChange }: DetailsProps<SchemaOf<'string'>>) {
  return (
    <>
      <div className="grid grid-cols-2 gap-3">
        <NumberInput
          label="Minimum length"
          whole
          value={schema.minLength}
          disabled={disabled}
          onChange={(minLength) => onChange(withoutEmpty({ ...schema, minLength }))}
        />
        <NumberInput
          label="Maximum length"
          whole
          value={schema.maxLength}
          disabled={disabled}
          onChange={(maxLength) => onChange(withoutEmpty({ ...schema, maxLength }))}
        />
      </div>
      <Field label="Default" hint="Used when a caller leaves it out.">
        {(ids) => (
          <TextInput
            {...ids}
            value={schema.default ?? ''}
            disabled={disabled}
            onChange={({ target }) => onChange(withoutEmpty({ ...schema, default: target.value }))}
          />
        )}
      </Field>
      <ListField
        label="Examples"
        hint="Shown to the calling model, and filled into the preview."
        placeholder="Paris, France"
        items={schema.examples ?? []}
        disabled={disabled}
        onChange={(examples) =>
          onChange(withoutEmpty({ ...schema, examples: examples.length === 0 ? undefined : examples }))
        }
      />
    </>
  );
}

function NumberDetails({ schema, disabled, onChange }: DetailsProps<SchemaOf<'number' | 'integer'>>) {
  const whole = schema.type === 'integer';
  const numbers = (items: readonly string[]): number[] | undefined => {
    const read = items.map(Number).filter((each) => (whole ? Number.isInteger(each) : Number.isFinite(each)));
    return read.length === 0 ? undefined : read;
  };
  return (
    <>
      <div className="grid grid-cols-3 gap-3">
        <NumberInput
          label="Minimum"
          whole={whole}
          value={schema.minimum}
          disabled={disabled}
          onChange={(minimum) => onChange(withoutEmpty({ ...schema, minimum }))}
        />
        <NumberInput
          label="Maximum"
          whole={whole}
          value={schema.maximum}
          disabled={disabled}
          onChange={(maximum) => onChange(withoutEmpty({ ...schema, maximum }))}
        />
        <NumberInput
          label="Default"
          whole={whole}
          value={schema.default}
          disabled={disabled}
          onChange={(value) => onChange(withoutEmpty({ ...schema, default: value }))}
        />
      </div>
      <ListField
        label="Allowed values"
        hint="Only these are accepted. Without any, every number within the limits is valid."
        placeholder="1"
        items={(schema.enum ?? []).map(String)}
        disabled={disabled}
        onChange={(items) => onChange(withoutEmpty({ ...schema, enum: numbers(items) }))}
      />
      <ListField
        label="Examples"
        hint="Shown to the calling model, and filled into the preview."
        placeholder="2"
        items={(schema.examples ?? []).map(String)}
        disabled={disabled}
        onChange={(items) => onChange(withoutEmpty({ ...schema, examples: numbers(items) }))}
      />
    </>
  );
}

function BooleanDetails({ schema, disabled, onChange }: DetailsProps<SchemaOf<'boolean'>>) {
  const chosen = schema.default === undefined ? 'none' : schema.default ? 'yes' : 'no';
  return (
    <div className="flex items-center gap-3 text-sm">
      Default
      <PlainSelect
        label="Default"
        value={chosen}
        disabled={disabled}
        options={[
          { value: 'none', label: 'None' },
          { value: 'yes', label: 'Yes' },
          { value: 'no', label: 'No' },
        ]}
        onChange={(next) =>
          onChange(withoutEmpty({ ...schema, default: next === 'none' ? undefined : next === 'yes' }))
        }
      />
    </div>
  );
}

function ArrayDetails({ schema, disabled, onChange }: DetailsProps<SchemaOf<'array'>>) {
  return (
    <>
      <div className="grid grid-cols-2 gap-3">
        <NumberInput
          label="Minimum items"
          whole
          value={schema.minItems}
          disabled={disabled}
          onChange={(minItems) => onChange(withoutEmpty({ ...schema, minItems }))}
        />
        <NumberInput
          label="Maximum items"
          whole
          value={schema.maxItems}
          disabled={disabled}
          onChange={(maxItems) => onChange(withoutEmpty({ ...schema, maxItems }))}
        />
      </div>
      <Checkbox
        label="Unique items"
        checked={schema.uniqueItems ?? false}
        disabled={disabled}
        onChange={(unique) => onChange(withoutEmpty({ ...schema, uniqueItems: unique || undefined }))}
      />
    </>
  );
}

function ObjectDetails({ schema, disabled, onChange }: DetailsProps<SchemaOf<'object'>>) {
  const { additionalProperties: other } = schema;
  const chosen =
    other === undefined ? 'unsaid' : typeof other === 'object' ? 'typed' : other ? 'any' : 'none';
  const choose = { unsaid: undefined, none: false, any: true, typed: { type: 'string' as const } };
  return (
    <>
      <div className="grid grid-cols-2 gap-3">
        <NumberInput
          label="Minimum properties"
          whole
          value={schema.minProperties}
          disabled={disabled}
          onChange={(minProperties) => onChange(withoutEmpty({ ...schema, minProperties }))}
        />
        <NumberInput
          label="Maximum properties"
          whole
          value={schema.maxProperties}
          disabled={disabled}
          onChange={(maxProperties) => onChange(withoutEmpty({ ...schema, maxProperties }))}
        />
      </div>
      <div className="flex flex-wrap items-center gap-3 text-sm">
        Other properties
        <PlainSelect
          label="Other properties"
          value={chosen}
          disabled={disabled}
          options={[
            { value: 'unsaid', label: 'Not specified' },
            { value: 'none', label: 'Not allowed' },
            { value: 'any', label: 'Allowed' },
            { value: 'typed', label: 'Allowed, all of one type' },
          ]}
          onChange={(next) => onChange(withoutEmpty({ ...schema, additionalProperties: choose[next] }))}
        />
      </div>
    </>
  );
}
