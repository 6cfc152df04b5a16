import { Plus, X } from 'lucide-react';
import { type SubmitEvent, useState } from 'react';
import type { A2ASkill } from '../../../../../src/contract/agent.ts';
import { Button, IconButton } from '../../../kit/button.tsx';
import { TextInput } from '../../../kit/field.tsx';
import { freeId } from '../../../kit/free-id.ts';
import { useAgentDraft } from '../draft/agent-draft.tsx';
import { ListField } from './list-field.tsx';

/** The skills advertised over A2A; by default, the enabled skills. */
export function A2ASkills() {
  const { agent, draft, set, canEdit } = useAgentDraft();
  const [name, setName] = useState('');
  const skills = draft.a2aSkills ?? [];
  // A patch cannot remove the list, only empty it.
  const save = (next: A2ASkill[], said?: string): void =>
    set('a2aSkills', next.length === 0 && !agent.a2aSkills ? undefined : next, said);
  const add = (event: SubmitEvent): void => {
    event.preventDefault();
    if (name.trim() === '') return;
    save([...skills, { id: freeId(name.trim().toLowerCase(), skills, 'skill'), name: name.trim() }]);
    setName('');
  };
  return (
    <section className="grid gap-3">
      <div>
        <h2 className="font-serif text-lg">A2A skills</h2>
        <p className="text-sm text-soft">
          Shown to other agents on its public card. Without a list, the card shows the enabled skills.
        </p>
      </div>
      <ul className="grid">
        {skills.map((skill, index) => (
          <SkillRow
            key={skill.id}
            skill={skill}
            disabled={!canEdit}
            onChange={(next, said) => save(skills.with(index, next), said)}
            onRemove={() => save(skills.toSpliced(index, 1), `Removed the A2A skill ${skill.name}.`)}
          />
        ))}
      </ul>
      {canEdit ? (
        <form onSubmit={add} className="flex gap-2">
          <TextInput
            aria-label="Name of an A2A skill"
            className="max-w-80"
            placeholder="Plan a journey"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <Button type="submit" icon={<Plus />} disabled={name.trim() === ''}>
            Add skill
          </Button>
        </form>
      ) : null}
    </section>
  );
}

interface RowProps {
  skill: A2ASkill;
  disabled: boolean;
  onChange: (skill: A2ASkill, said?: string) => void;
  onRemove: () => void;
}

function SkillRow({ skill, disabled, onChange, onRemove }: RowProps) {
  const { name, description = '', tags = [], examples = [] } = skill;
  return (
    <li className="grid gap-3 border-t border-line py-3">
      <div className="flex gap-2">
        <TextInput
          aria-label="Name of the A2A skill"
          className="max-w-64"
          value={name}
          disabled={disabled}
          onChange={({ target }) => onChange({ ...skill, name: target.value })}
        />
        <TextInput
          aria-label={`Description of ${name}`}
          placeholder="What it does, for the agent that asks"
          value={description}
          disabled={disabled}
          onChange={({ target }) => onChange({ ...skill, description: target.value })}
        />
        {disabled ? null : (
          <IconButton label={`Remove ${name}`} onClick={onRemove}>
            <X />
          </IconButton>
        )}
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        <ListField
          label={`Tags of ${name}`}
          hint="Words that others search for."
          placeholder="travel"
          items={tags}
          disabled={disabled}
          onChange={(next, said) => onChange({ ...skill, tags: next }, said)}
        />
        <ListField
          label={`Examples of ${name}`}
          hint="What somebody might ask."
          placeholder="Three days in Oslo"
          items={examples}
          disabled={disabled}
          onChange={(next, said) => onChange({ ...skill, examples: next }, said)}
        />
      </div>
    </li>
  );
}
