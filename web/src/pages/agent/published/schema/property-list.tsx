import { ArrowDown, ArrowUp, Ellipsis, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { ToolInputSchema } from '../../../../../../src/contract/parameters.ts';
import { Button, IconButton } from '../../../../kit/button.tsx';
import { Checkbox } from '../../../../kit/choice.tsx';
import { TextInput } from '../../../../kit/field.tsx';
import { Menu } from '../../../../kit/menus/menu.tsx';
import { useAgentDraft } from '../../draft/agent-draft.tsx';
import { freeName, type NamedProperty, propertiesOf, withoutEmpty, withProperties } from './edit-schema.ts';
import { DetailsToggle } from './details-toggle.tsx';
import { SchemaDetails } from './schema-details.tsx';
import { NameInput } from './schema-inputs.tsx';
import { KindSelect, SchemaInside } from './schema-node.tsx';

interface ListProps {
  /** The object they belong to; null for the tool itself. */
  owner: string | null;
  schema: ToolInputSchema;
  disabled: boolean;
  /** `renamed` is the property whose name changed, for texts that refer to it. */
  onChange: (schema: ToolInputSchema, renamed?: { from: string; to: string }) => void;
}

/** The properties of an object, one under the other; those of objects within are further in. */
export function PropertyList({ owner, schema, disabled, onChange }: ListProps) {
  const { offerUndo } = useAgentDraft();
  const [added, setAdded] = useState<number | null>(null);
  const properties = propertiesOf(schema);
  const save = (next: readonly NamedProperty[]): void => onChange(withProperties(schema, next));
  const add = (): void => {
    setAdded(properties.length);
    const name = freeName(properties, owner === null ? 'parameter' : 'property');
    save([...properties, { name, schema: { type: 'string' }, required: false }]);
  };
  const put = (index: number, next: NamedProperty): void => {
    const from = properties[index]?.name ?? next.name;
    const renamed = from === next.name ? undefined : { from, to: next.name };
    onChange(withProperties(schema, properties.with(index, next)), renamed);
  };
  const move = (index: number, by: number): void => {
    const moved = properties[index];
    if (moved) save(properties.toSpliced(index, 1).toSpliced(index + by, 0, moved));
  };
  return (
    <div>
      <ul className="grid">
        {properties.map((property, index) => (
          <PropertyRow
            key={index}
            property={property}
            taken={properties.filter((other) => other !== property).map(({ name }) => name)}
            isNew={added === index}
            disabled={disabled}
            onChange={(next) => put(index, next)}
            onRemove={() => {
              save(properties.toSpliced(index, 1));
              offerUndo(`Removed ${property.name}.`);
            }}
            onMoveUp={index > 0 ? () => move(index, -1) : null}
            onMoveDown={index < properties.length - 1 ? () => move(index, 1) : null}
          />
        ))}
      </ul>
      {disabled ? null : (
        <Button small icon={<Plus />} onClick={add} className={properties.length > 0 ? 'mt-1' : ''}>
          {owner === null ? 'Add parameter' : `Add property to ${owner}`}
        </Button>
      )}
    </div>
  );
}

interface RowProps {
  property: NamedProperty;
  taken: readonly string[];
  isNew: boolean;
  disabled: boolean;
  onChange: (property: NamedProperty) => void;
  onRemove: () => void;
  onMoveUp: (() => void) | null;
  onMoveDown: (() => void) | null;
}

function PropertyRow({ property, taken, isNew, disabled, onChange, ...acts }: RowProps) {
  const [isOpen, setOpen] = useState(false);
  const { name, schema, required } = property;
  const change = (next: typeof schema): void => onChange({ ...property, schema: next });
  return (
    <li className="grid gap-2 border-t border-line py-3 first:border-0 first:pt-1">
      <div className="flex items-start gap-1.5">
        <NameInput
          label="Name of the parameter"
          value={name}
          taken={taken}
          isNew={isNew}
          disabled={disabled}
          onChange={(next) => onChange({ ...property, name: next })}
        />
        <KindSelect name={name} schema={schema} disabled={disabled} onChange={change} />
        <DetailsToggle name={name} isOpen={isOpen} onChange={setOpen} />
        {disabled ? null : <RowMenu name={name} {...acts} />}
      </div>
      <div className="flex items-center gap-3">
        <TextInput
          aria-label={`Description of ${name}`}
          placeholder="What it is, for the model that calls"
          value={schema.description ?? ''}
          disabled={disabled}
          onChange={({ target }) => change(withoutEmpty({ ...schema, description: target.value }))}
        />
        <Checkbox
          label="Required"
          checked={required}
          disabled={disabled}
          onChange={(next) => onChange({ ...property, required: next })}
        />
      </div>
      {isOpen ? <SchemaDetails schema={schema} disabled={disabled} onChange={change} /> : null}
      <SchemaInside name={name} schema={schema} disabled={disabled} onChange={change} />
    </li>
  );
}

type RowActs = Pick<RowProps, 'onRemove' | 'onMoveUp' | 'onMoveDown'>;

function RowMenu({ name, onRemove, onMoveUp, onMoveDown }: RowActs & { name: string }) {
  return (
    <Menu
      align="end"
      trigger={
        <IconButton label={`More for ${name}`}>
          <Ellipsis />
        </IconButton>
      }
      items={[
        ...(onMoveUp ? [{ label: 'Move up', icon: <ArrowUp />, onSelect: onMoveUp }] : []),
        ...(onMoveDown ? [{ label: 'Move down', icon: <ArrowDown />, onSelect: onMoveDown }] : []),
        { label: 'Remove', icon: <Trash2 />, danger: true, onSelect: onRemove },
      ]}
    />
  );
}
