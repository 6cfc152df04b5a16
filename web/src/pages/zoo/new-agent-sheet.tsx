import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { Creature } from '../../creature/creature.tsx';
import { useHubMutation, useHubQuery } from '../../data/queries.ts';
import { Button } from '../../kit/button.tsx';
import { ErrorNote } from '../../kit/feedback.tsx';
import { Field, TextArea, TextInput } from '../../kit/field.tsx';
import { Sheet } from '../../kit/floating.tsx';

interface NewAgentProps {
  open: boolean;
  onClose: () => void;
}

/** A new agent: described in two fields, or begun from a template. */
export function NewAgentSheet({ open, onClose }: NewAgentProps) {
  return (
    <Sheet open={open} onClose={onClose} title="New agent">
      <NewAgentForm onDone={onClose} />
      <Templates onDone={onClose} />
    </Sheet>
  );
}

function useOpenAgent(onDone: () => void): (id: string) => void {
  const navigate = useNavigate();
  return (id) => {
    onDone();
    void navigate({ to: '/agent/$id/persona', params: { id } });
  };
}

function NewAgentForm({ onDone }: { onDone: () => void }) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const create = useHubMutation('createAgent');
  const openAgent = useOpenAgent(onDone);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    create.mutate(
      { body: { name, description, appearanceSeed: name } },
      { onSuccess: ({ id }) => openAgent(id) },
    );
  };
  return (
    <form onSubmit={submit} className="grid gap-4">
      <div className="flex gap-5">
        <div className="grid size-28 shrink-0 place-items-center border-b border-line-strong">
          <Creature seed={name} size={104} />
        </div>
        <div className="min-w-0 flex-1">
          <Field
            label="Name"
            hint="Shown in lists. Its creature grows from it, and both can be changed later."
          >
            {(ids) => (
              <TextInput
                {...ids}
                autoFocus
                required
                value={name}
                onChange={({ target }) => setName(target.value)}
              />
            )}
          </Field>
        </div>
      </div>
      <Field label="Description" hint="One sentence on what it does: clients show it when they list agents.">
        {(ids) => (
          <TextArea {...ids} value={description} onChange={({ target }) => setDescription(target.value)} />
        )}
      </Field>
      {create.error ? <ErrorNote error={create.error} /> : null}
      <Button
        type="submit"
        look="primary"
        className="justify-self-start"
        disabled={name.trim() === '' || create.isPending}
      >
        Create agent
      </Button>
    </form>
  );
}

function Templates({ onDone }: { onDone: () => void }) {
  const templates = useHubQuery('listTemplates', {});
  const use = useHubMutation('useTemplate');
  const openAgent = useOpenAgent(onDone);
  return (
    <section className="mt-8 border-t border-line pt-5">
      <h3 className="font-serif text-lg">From a template</h3>
      <p className="mt-0.5 text-sm text-soft">Ready-made agents to adapt.</p>
      {use.error ? <ErrorNote error={use.error} /> : null}
      <ul className="mt-3 grid gap-px">
        {templates.data?.templates.map(({ id, agent }) => (
          <li key={id}>
            <button
              type="button"
              disabled={use.isPending}
              onClick={() => use.mutate({ template: id }, { onSuccess: (made) => openAgent(made.id) })}
              className="flex w-full items-center gap-3 rounded-md px-2 py-2 text-left hover:bg-wash"
            >
              <Creature seed={agent.appearanceSeed ?? id} size={48} />
              <span className="min-w-0">
                <span className="block font-medium">{agent.name}</span>
                <span className="block text-sm text-soft">{agent.description}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
