import { useState } from 'react';
import type { ToolInputSchema } from '../../../../src/contract/parameters.ts';
import { type FormValues, valueProblems } from '../../schema-form/form-values.ts';
import { SchemaForm } from '../../schema-form/schema-form.tsx';

const schema: ToolInputSchema = {
  type: 'object',
  properties: {
    destination: { type: 'string', description: 'The destination city.', minLength: 2, examples: ['Oslo'] },
    cabin: { type: 'string', enum: ['economy', 'business'] },
    seats: { type: 'integer', minimum: 1, maximum: 9 },
    refundable: { type: 'boolean' },
    stops: { type: 'array', items: { type: 'string' }, maxItems: 2 },
    traveller: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  },
  required: ['destination'],
};

/** The form of a schema with every type of field, and what is wrong with its values. */
export function SchemaFormPart() {
  const [values, setValues] = useState<FormValues>({ destination: 'O', seats: 12, stops: ['Bergen'] });
  return (
    <div className="max-w-md">
      <SchemaForm
        schema={{ ...schema }}
        value={values}
        problems={valueProblems(schema, values)}
        onChange={setValues}
      />
    </div>
  );
}
