import type { FormValues } from './form-values.ts';
import { hintOf, readSchema, shapeOf } from './read-schema.ts';
import { SchemaField, SchemaProperties } from './schema-field.tsx';

export interface SchemaFormProps {
  /** The schema of an object. */
  schema: FormValues;
  value: FormValues;
  onChange: (value: FormValues) => void;
  /** What is wrong with values, by path: `trip.legs[0].from`. */
  problems?: ReadonlyMap<string, string>;
  disabled?: boolean;
}

const noProblems: ReadonlyMap<string, string> = new Map();

/** The form that somebody who calls a tool would fill in, made from its schema. Absent values stay absent. */
export function SchemaForm(props: SchemaFormProps) {
  const { schema, value, onChange, problems = noProblems, disabled = false } = props;
  const whole = readSchema(schema, schema);
  const shape = shapeOf(whole, schema);
  if (shape.kind === 'object') {
    return (
      <SchemaProperties
        properties={shape.properties}
        value={value}
        onChange={onChange}
        form={{ root: schema, problems, disabled }}
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
      form={{ root: schema, problems, disabled }}
      onChange={(next) => onChange(typeof next === 'object' && next !== null ? { ...next } : {})}
    />
  );
}
