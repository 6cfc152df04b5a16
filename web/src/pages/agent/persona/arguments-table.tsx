import { Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { AgentArgument } from '../../../../../src/contract/agent.ts';
import { Button, IconButton } from '../../../kit/button.tsx';
import { Checkbox } from '../../../kit/choice.tsx';
import { TextInput } from '../../../kit/field.tsx';
import { useAgentDraft } from '../draft/agent-draft.tsx';
import { setTryValue, useTryValues } from '../truth/try-values.ts';

const columns = 'grid gap-2 sm:grid-cols-[8rem_minmax(0,1fr)_7rem_7rem_5.5rem_1.75rem]';

/** The arguments of an agent, and values to try them with. */
export function ArgumentsTable() {
  const { agent, draft, set, canEdit } = useAgentDraft();
  const args = draft.arguments;
  const put = (index: number, next: AgentArgument): void => set('arguments', args.with(index, next));
  const add = (): void => {
    const taken = new Set(args.map(({ name }) => name));
    let number = args.length + 1;
    while (taken.has(`argument${number}`)) number += 1;
    set('arguments', [...args, { name: `argument${number}`, description: '', required: false }]);
  };
  return (
    <section>
      <div className="mb-2 flex items-baseline justify-between gap-4">
        <h2 className="font-serif text-lg">Arguments</h2>
        {canEdit ? (
          <Button small icon={<Plus />} onClick={add}>
            Add argument
          </Button>
        ) : null}
      </div>
      {args.length === 0 ? (
        <p className="text-base text-soft">
          None. With an argument, <code className="font-mono text-sm">{'{{name}}'}</code> in the persona and
          in skills is filled in when the agent is used.
        </p>
      ) : (
        <ul className="grid gap-px">
          <li aria-hidden="true" className={`${columns} pb-1 text-xs text-faint max-sm:hidden`}>
            <span>Name</span>
            <span>Description</span>
            <span>Default</span>
            <span>Value to try</span>
          </li>
          {args.map((argument, index) => (
            <ArgumentRow
              key={index}
              agentId={agent.id}
              argument={argument}
              canEdit={canEdit}
              onChange={(next) => put(index, next)}
              onRemove={() =>
                set('arguments', args.toSpliced(index, 1), `Removed the argument ${argument.name}.`)
              }
            />
          ))}
        </ul>
      )}
    </section>
  );
}

interface RowProps {
  agentId: string;
  argument: AgentArgument;
  canEdit: boolean;
  onChange: (argument: AgentArgument) => void;
  onRemove: () => void;
}

function ArgumentRow({ agentId, argument, canEdit, onChange, onRemove }: RowProps) {
  const tried = useTryValues(agentId);
  const { name, description, required, default: usual } = argument;
  return (
    <li className={`${columns} items-center border-t border-line py-2.5`}>
      <Cell label="Name">
        <TextInput
          aria-label="Name of the argument"
          className="font-mono"
          value={name}
          disabled={!canEdit}
          onChange={({ target }) => onChange({ ...argument, name: target.value })}
        />
      </Cell>
      <Cell label="Description">
        <TextInput
          aria-label={`Description of ${name}`}
          placeholder="What it is for"
          value={description}
          title={description}
          disabled={!canEdit}
          onChange={({ target }) => onChange({ ...argument, description: target.value })}
        />
      </Cell>
      <Cell label="Default">
        <TextInput
          aria-label={`Default of ${name}`}
          placeholder="Default"
          value={usual ?? ''}
          disabled={!canEdit || required}
          onChange={({ target }) => onChange(withDefault(argument, target.value))}
        />
      </Cell>
      <Cell label="Value to try">
        <TextInput
          aria-label={`Value of ${name} to try`}
          placeholder="Try a value"
          value={tried[name] ?? ''}
          className="border-dashed"
          onChange={({ target }) => setTryValue(agentId, name, target.value)}
        />
      </Cell>
      <Checkbox
        label="Required"
        checked={required}
        disabled={!canEdit}
        onChange={(next) => onChange({ ...withDefault(argument, next ? '' : (usual ?? '')), required: next })}
      />
      {canEdit ? (
        <IconButton label={`Remove ${name}`} small onClick={onRemove}>
          <Trash2 />
        </IconButton>
      ) : null}
    </li>
  );
}

/** The header of the table has no room on narrow screens. */
function Cell({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid min-w-0 gap-1">
      <span aria-hidden="true" className="text-xs text-faint sm:hidden">
        {label}
      </span>
      {children}
    </div>
  );
}

function withDefault({ default: _before, ...argument }: AgentArgument, value: string): AgentArgument {
  return value === '' ? argument : { ...argument, default: value };
}
