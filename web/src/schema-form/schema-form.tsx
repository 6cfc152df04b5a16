import { hintOf, readSchema, shapeOf } from './read-schema.ts';
import { SchemaField, SchemaProperties } from './schema-field.tsx';

type Fields = Record<string, unknown>;

export interface SchemaFormProps {
  /** The schema of an object. */
  schema: Fields;
  value: Fields;
  onChange: (value: Fields) => void;
  /** Paths of values to mark as missing, such as `trip.from`. */
  missing?: readonly string[];
  disabled?: boolean;
}

/** The form that somebody who calls a tool would fill in, made from its schema. Absent values stay absent. */
export function SchemaForm({ schema, value, onChange, missing = [], disabled = false }: SchemaFormProps) {
  const whole = readSchema(schema, schema);
  const shape = shapeOf(whole, schema);
  if (shape.kind === 'object') {
    return (
      <SchemaProperties
        properties={shape.properties}
        value={value}
        onChange={onChange}
        form={{ root: schema, missing, disabled }}
        path=""
      />
    );
  }
  if (shape.kind === 'json' && hintOf(whole) === '')
    return <p className="text-sm text-soft">It takes no arguments.</p>;
  return (
    <SchemaField
      label="Arguments"
      schema={whole}
      value={value}
      required
      path=""
      form={{ root: schema, missing, disabled }}
      onChange={(next) => onChange(typeof next === 'object' && next !== null ? { ...next } : {})}
    />
  );
}
