import { type ReactNode, type SubmitEvent, useState } from 'react';
import type { AgentSummary } from '../../../../src/contract/agent.ts';
import { Creature } from '../../creature/creature.tsx';
import { useHubMutation, useHubQuery } from '../../data/queries.ts';
import { Button } from '../../kit/button.tsx';
import { ErrorNote } from '../../kit/feedback.tsx';
import { Field, TextArea, TextInput } from '../../kit/field.tsx';

interface ChooseProps {
  /** Existing agents; those that the workspace suggests come first. */
  agents: readonly AgentSummary[];
  onChosen: (id: string) => void;
}

const MOST = 4;

/** One that is there, a template, or one's own words. */
export function ChooseAgent({ agents, onChosen }: ChooseProps) {
  const templates = useHubQuery('listTemplates', {}).data?.templates ?? [];
  const use = useHubMutation('useTemplate');
  const ready = agents.filter(({ trusted }) => trusted);
  return (
    <div className="grid gap-6">
      {ready.length === 0 ? null : (
        <Choices title="Already here">
          {ready.slice(0, MOST).map(({ id, name, description, appearanceSeed, featured }) => (
            <Choice
              key={id}
              seed={appearanceSeed}
              name={name}
              about={
                featured === undefined
                  ? description
                  : `${featured === 'default' ? 'The default of this workspace' : 'Suggested here'}. ${description}`
              }
              onChoose={() => onChosen(id)}
            />
          ))}
        </Choices>
      )}
      <Choices title="From a template">
        {templates.map(({ id, agent }) => (
          <Choice
            key={id}
            seed={agent.appearanceSeed ?? id}
            name={agent.name}
            about={agent.description ?? ''}
            disabled={use.isPending}
            onChoose={() => use.mutate({ template: id }, { onSuccess: (made) => onChosen(made.id) })}
          />
        ))}
      </Choices>
      {use.error ? <ErrorNote error={use.error} /> : null}
      <OwnAgent onChosen={onChosen} />
    </div>
  );
}

function Choices({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h3 className="mb-1 text-xs text-faint">{title}</h3>
      <ul className="grid gap-x-4 sm:grid-cols-2">{children}</ul>
    </section>
  );
}

interface ChoiceProps {
  seed: string;
  name: string;
  about: string;
  disabled?: boolean;
  onChoose: () => void;
}

function Choice({ seed, name, about, disabled = false, onChoose }: ChoiceProps) {
  return (
    <li>
      <button
        type="button"
        disabled={disabled}
        onClick={onChoose}
        className="flex w-full items-center gap-3 rounded-md px-2 py-2 text-left hover:bg-wash"
      >
        <Creature seed={seed} size={48} />
        <span className="min-w-0">
          <span className="block font-medium">{name}</span>
          <span className="line-clamp-2 text-sm text-soft">{about}</span>
        </span>
      </button>
    </li>
  );
}

function OwnAgent({ onChosen }: { onChosen: (id: string) => void }) {
  const [name, setName] = useState('');
  const [persona, setPersona] = useState('');
  const create = useHubMutation('createAgent');
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    create.mutate(
      { body: { name, systemPrompt: persona, appearanceSeed: name } },
      { onSuccess: ({ id }) => onChosen(id) },
    );
  };
  return (
    <form onSubmit={submit} aria-label="Describe your own" className="grid gap-3">
      <h3 className="text-xs text-faint">Or describe your own</h3>
      <Field label="Name">
        {(ids) => (
          <TextInput
            {...ids}
            required
            className="max-w-72"
            placeholder="Release scribe"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <Field
        label="Persona"
        hint="Who it is and how it works, in your own words. You can change all of it later."
      >
        {(ids) => (
          <TextArea
            {...ids}
            className="font-mono text-xs"
            placeholder="You turn merged pull requests into release notes that people read."
            value={persona}
            onChange={({ target }) => setPersona(target.value)}
          />
        )}
      </Field>
      {create.error ? <ErrorNote error={create.error} /> : null}
      <div>
        <Button type="submit" look="primary" disabled={name.trim() === '' || create.isPending}>
          Create agent
        </Button>
      </div>
    </form>
  );
}
