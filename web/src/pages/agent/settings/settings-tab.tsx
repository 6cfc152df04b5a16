import { Dices } from 'lucide-react';
import type { AgentMode } from '../../../../../src/contract/agent.ts';
import { Creature } from '../../../creature/creature.tsx';
import { growCreature } from '../../../creature/grow-creature.ts';
import { Button } from '../../../kit/button.tsx';
import { Field, TextArea, TextInput } from '../../../kit/field.tsx';
import { useAgentDraft } from '../draft/agent-draft.tsx';
import { A2ASkills } from './a2a-skills.tsx';
import { Approvals } from './approvals.tsx';
import { ListField } from './list-field.tsx';

const modes: Record<AgentMode, string> = {
  interactive: 'Takes over a chat in a client: it is injected as a prompt, and a person answers it.',
  autonomous: 'Works by itself on tasks that others send it over A2A; its skills are advertised.',
  tools: 'Offers its published tools to others over MCP; each call is a run without a person.',
};

const permissions = {
  tool: 'Tools that need a permission are refused; all others run.',
  never: 'Every tool of its scope runs without asking.',
  always: 'No tool runs without a person, so runs without one have no tools.',
} as const;

/** The rest of a definition: who it is in lists, how it runs, what it looks like. */
export function SettingsTab() {
  return (
    <div className="mx-auto grid max-w-3xl gap-10 px-4 py-6 sm:px-6">
      <Identity />
      <Mode />
      <Running />
      <A2A />
      <Context />
    </div>
  );
}

const Heading = ({ children }: { children: string }) => (
  <h2 className="mb-3 font-serif text-lg">{children}</h2>
);

function Identity() {
  const { draft, set, canEdit } = useAgentDraft();
  const reroll = (): void => set('appearanceSeed', `${draft.name} ${Math.random().toString(36).slice(2, 8)}`);
  return (
    <section className="grid gap-6 sm:grid-cols-[11rem_1fr]">
      <div className="grid content-start justify-items-start gap-3">
        <div className="border-b border-line-strong pb-1">
          <Creature seed={draft.appearanceSeed} size={160} name={draft.name} />
        </div>
        <p className="text-xs text-soft">A {growCreature(draft.appearanceSeed).plan} creature</p>
        <Button small icon={<Dices />} onClick={reroll} disabled={!canEdit}>
          Grow another
        </Button>
      </div>
      <div className="grid gap-4">
        <Field label="Name" hint="As it is shown in lists.">
          {(ids) => (
            <TextInput
              {...ids}
              value={draft.name}
              disabled={!canEdit}
              onChange={({ target }) => set('name', target.value)}
            />
          )}
        </Field>
        <Field
          label="Description"
          hint="One sentence on what it does. Clients show it when they list agents."
        >
          {(ids) => (
            <TextArea
              {...ids}
              value={draft.description}
              disabled={!canEdit}
              onChange={({ target }) => set('description', target.value)}
            />
          )}
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Version" hint="Any version you like.">
            {(ids) => (
              <TextInput
                {...ids}
                value={draft.version}
                disabled={!canEdit}
                onChange={({ target }) => set('version', target.value)}
              />
            )}
          </Field>
          <Field label="Appearance seed" hint="The same seed grows the same creature.">
            {(ids) => (
              <TextInput
                {...ids}
                value={draft.appearanceSeed}
                disabled={!canEdit}
                onChange={({ target }) => set('appearanceSeed', target.value)}
              />
            )}
          </Field>
        </div>
      </div>
    </section>
  );
}

interface ChoiceProps<V extends string> {
  name: string;
  value: V;
  words: Readonly<Record<V, string>>;
  onChange: (value: V) => void;
  disabled: boolean;
}

/** One of a few that need a sentence each: all of them in sight. */
function Choices<V extends string>({ name, value, words, onChange, disabled }: ChoiceProps<V>) {
  const entries = Object.entries<string>(words).filter((entry): entry is [V, string] => entry[0] in words);
  return (
    <div role="radiogroup" aria-label={name} className="grid gap-px">
      {entries.map(([each, hint]) => (
        <label
          key={each}
          aria-label={each}
          className="flex items-baseline gap-3 -mx-2 border-t border-line px-2 py-2.5 has-checked:bg-leaf-wash/60 sm:-mx-3 sm:px-3"
        >
          <input
            type="radio"
            name={name}
            checked={each === value}
            disabled={disabled}
            onChange={() => onChange(each)}
            className="translate-y-0.5 accent-leaf"
          />
          <span>
            <span className="font-medium capitalize">{each}</span>
            <span className="block text-sm text-soft">{hint}</span>
          </span>
        </label>
      ))}
    </div>
  );
}

function Mode() {
  const { draft, set, canEdit } = useAgentDraft();
  return (
    <section>
      <Heading>Mode</Heading>
      <Choices
        name="Mode"
        value={draft.mode}
        words={modes}
        onChange={(mode) => set('mode', mode)}
        disabled={!canEdit}
      />
    </section>
  );
}

function Running() {
  const { draft, set, canEdit } = useAgentDraft();
  const model = draft.model === null ? [] : [draft.model].flat();
  return (
    <section className="grid gap-4">
      <Heading>Runs without a person</Heading>
      <Choices
        name="Tool permission"
        value={draft.toolPermission}
        words={permissions}
        onChange={(next) => set('toolPermission', next)}
        disabled={!canEdit}
      />
      <Approvals />
      <ListField
        label="Model"
        hint="provider/model, with fallbacks. Empty: the default from the config."
        placeholder="anthropic/claude-sonnet-4-5"
        items={model}
        disabled={!canEdit}
        onChange={(items, said) =>
          set('model', items.length === 0 ? null : items.length === 1 ? (items[0] ?? null) : items, said)
        }
      />
    </section>
  );
}

/** Only autonomous agents have a card; what was written stays while the mode is another one. */
function A2A() {
  const { draft } = useAgentDraft();
  return draft.mode === 'autonomous' || draft.a2aSkills ? <A2ASkills /> : null;
}

function Context() {
  const { draft, set, canEdit } = useAgentDraft();
  return (
    <section className="grid gap-4">
      <Heading>Context files</Heading>
      <ListField
        label="Files"
        hint="Paths in the workspace, or ids of documents. Their text goes into every prompt."
        placeholder="docs/style.md"
        items={draft.contextRefs}
        disabled={!canEdit}
        onChange={(items, said) => set('contextRefs', items, said)}
      />
      <Field
        label="Budget in tokens"
        hint="How much of the prompt documents may use. Empty: the default from the config."
      >
        {(ids) => (
          <TextInput
            {...ids}
            inputMode="numeric"
            className="max-w-40 tabular"
            value={draft.contextTokens ?? ''}
            disabled={!canEdit}
            onChange={({ target }) => {
              const digits = target.value.replaceAll(/\D/g, '');
              set('contextTokens', digits === '' ? null : Number(digits));
            }}
          />
        )}
      </Field>
    </section>
  );
}
