import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import type { JsonSchemaDefinition } from '../../../../../../src/contract/parameters.ts';
import { Button, IconButton } from '../../../../kit/button.tsx';
import { Checkbox } from '../../../../kit/choice.tsx';
import { PlainSelect } from '../../../../kit/selects/plain-select.tsx';
import { useAgentDraft } from '../../draft/agent-draft.tsx';
import { ListField } from '../../settings/list-field.tsx';
import { kindOf, kinds, type SchemaOf, withKind } from './edit-schema.ts';
import { PropertyList } from './property-list.tsx';
import { DetailsToggle } from './details-toggle.tsx';
import { SchemaDetails } from './schema-details.tsx';

interface NodeProps<S extends JsonSchemaDefinition> {
  /** What the schema describes: `trip`, `items of legs`. */
  name: string;
  schema: S;
  disabled: boolean;
  onChange: (schema: S) => void;
}

const inset = 'grid gap-2 border-l-2 border-line pl-3';

export function KindSelect({ name, schema, disabled, onChange }: NodeProps<JsonSchemaDefinition>) {
  return (
    <PlainSelect
      label={`Type of ${name}`}
      value={kindOf(schema)}
      options={kinds}
      disabled={disabled}
      onChange={(kind) => onChange(withKind(schema, kind))}
    />
  );
}

/** What lies inside of a schema: the values of a choice, the items of a list, the properties of an object. */
export function SchemaInside({ name, schema, disabled, onChange }: NodeProps<JsonSchemaDefinition>) {
  if (schema.type === 'object') {
    const { additionalProperties: other } = schema;
    return (
      <div className={inset}>
        <PropertyList owner={name} schema={schema} disabled={disabled} onChange={onChange} />
        {typeof other === 'object' ? (
          <ItemNode
            name={`other properties of ${name}`}
            schema={other}
            disabled={disabled}
            onChange={(additionalProperties) => onChange({ ...schema, additionalProperties })}
          />
        ) : null}
      </div>
    );
  }
  if (schema.type === 'array') {
    return <ArrayInside name={name} schema={schema} disabled={disabled} onChange={onChange} />;
  }
  if (schema.type === 'string' && schema.enum) {
    return (
      <div className={inset}>
        <ListField
          label={`Values of ${name}`}
          hint={schema.enum.length === 0 ? 'Add at least one value to choose from.' : 'A caller picks one.'}
          placeholder="economy"
          items={schema.enum}
          disabled={disabled}
          onChange={(values) => onChange({ ...schema, enum: values })}
        />
      </div>
    );
  }
  return null;
}

function ArrayInside({ name, schema, disabled, onChange }: NodeProps<SchemaOf<'array'>>) {
  const { offerUndo } = useAgentDraft();
  const { items } = schema;
  const places = [items].flat();
  const put = (index: number, next: JsonSchemaDefinition): void =>
    onChange({ ...schema, items: Array.isArray(items) ? items.with(index, next) : next });
  return (
    <div className={inset}>
      {places.map((each, index) => (
        <div key={index} className="flex items-start gap-1">
          <div className="min-w-0 flex-1">
            <ItemNode
              name={Array.isArray(items) ? `item ${index + 1} of ${name}` : `items of ${name}`}
              schema={each}
              disabled={disabled}
              onChange={(next) => put(index, next)}
            />
          </div>
          {Array.isArray(items) && items.length > 1 && !disabled ? (
            <IconButton
              label={`Remove item ${index + 1} of ${name}`}
              small
              onClick={() => {
                onChange({ ...schema, items: items.toSpliced(index, 1) });
                offerUndo(`Removed item ${index + 1} of ${name}.`);
              }}
            >
              <X />
            </IconButton>
          ) : null}
        </div>
      ))}
      <div className="flex flex-wrap items-center gap-3">
        <Checkbox
          label="A type for each position"
          checked={Array.isArray(items)}
          disabled={disabled}
          onChange={(fixed) =>
            onChange({ ...schema, items: fixed ? places : (places[0] ?? { type: 'string' }) })
          }
        />
        {Array.isArray(items) && !disabled ? (
          <Button
            small
            look="quiet"
            icon={<Plus />}
            onClick={() => onChange({ ...schema, items: [...items, { type: 'string' }] })}
          >
            Add position
          </Button>
        ) : null}
      </div>
    </div>
  );
}

/** A schema without a name: the items of a list. */
function ItemNode({ name, schema, disabled, onChange }: NodeProps<JsonSchemaDefinition>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <span className="text-soft first-letter:uppercase">{name}</span>
        <KindSelect name={name} schema={schema} disabled={disabled} onChange={onChange} />
        <DetailsToggle name={name} isOpen={isOpen} onChange={setOpen} />
      </div>
      {isOpen ? <SchemaDetails schema={schema} disabled={disabled} onChange={onChange} /> : null}
      <SchemaInside name={name} schema={schema} disabled={disabled} onChange={onChange} />
    </div>
  );
}
