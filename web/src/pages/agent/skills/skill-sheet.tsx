import { Save } from 'lucide-react';
import { useState } from 'react';
import type { Skill } from '../../../../../src/contract/agent.ts';
import { MODIFIER } from '../../../app/shortcuts.ts';
import { call } from '../../../data/hub.ts';
import { useArgumentSupport } from '../../../kit/editor/argument-support.ts';
import { Button } from '../../../kit/button.tsx';
import { Checkbox } from '../../../kit/choice.tsx';
import { CodeEditor } from '../../../kit/editor/code-editor.tsx';
import { ErrorNote } from '../../../kit/feedback.tsx';
import { Field, TextInput } from '../../../kit/field.tsx';
import { Sheet } from '../../../kit/floating.tsx';
import { useAgentDraft } from '../draft/agent-draft.tsx';
import { isSame } from '../draft/merge-draft.ts';
import { useSkillActions } from './use-skill-actions.ts';
import { local } from '../../../data/browser-storage.ts';

/** The name and the instruction of one skill. Texts are kept while the sheet is closed, and saved explicitly. */
export function SkillSheet({ skill, onClose }: { skill: Skill; onClose: () => void }) {
  const { agent, canEdit } = useAgentDraft();
  const support = useArgumentSupport(agent.arguments.map(({ name: each }) => each));
  const { error, run } = useSkillActions();
  const key = `agent-zoo-skill-draft:${agent.id}:${skill.id}`;
  const [text, setText] = useState(() => local.getItem(key) ?? skill.description);
  const [name, setName] = useState(skill.name);
  const [requires, setRequires] = useState<readonly string[]>(skill.requires ?? []);
  const others = agent.skills.filter(({ id }) => id !== skill.id);
  const isChanged =
    text !== skill.description || name !== skill.name || !isSame(requires, skill.requires ?? []);
  const write = (next: string): void => {
    setText(next);
    if (next === skill.description) local.removeItem(key);
    else local.setWork(key, next);
  };
  const save = (): void => {
    const { name: oldName, description: oldText, requires: oldRequires = [] } = skill;
    const patch = (body: { name: string; description: string; requires: string[] }) => (): Promise<unknown> =>
      call('patchSkill', { id: agent.id, skillId: skill.id, body });
    void run(
      async () => {
        await patch({ name, description: text, requires: [...requires] })();
        local.removeItem(key);
        onClose();
      },
      `Saved ${name}.`,
      patch({ name: oldName, description: oldText, requires: oldRequires }),
    );
  };
  return (
    <Sheet
      open
      onClose={onClose}
      title={skill.name}
      footer={
        canEdit ? (
          <Button
            look="primary"
            icon={<Save />}
            keys={`${MODIFIER}Enter`}
            disabled={!isChanged || name.trim() === ''}
            onClick={save}
          >
            Save skill
          </Button>
        ) : undefined
      }
    >
      <div
        className="grid gap-4"
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && isChanged) save();
        }}
        role="presentation"
      >
        {error ? <ErrorNote error={error} /> : null}
        <Field label="Name" hint="The heading of this part of the prompt.">
          {(ids) => (
            <TextInput
              {...ids}
              value={name}
              disabled={!canEdit}
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
        <div className="grid gap-1.5">
          <span className="text-sm font-medium">Instruction</span>
          <CodeEditor
            label="Instruction"
            value={text}
            onChange={write}
            support={support}
            readOnly={!canEdit}
            placeholder="What the model should do when this skill is on."
            className="min-h-64 rounded-md border border-line-strong bg-sheet focus-within:border-leaf"
          />
        </div>
        {others.length === 0 ? null : (
          <fieldset className="grid gap-1.5">
            <legend className="mb-1 text-sm font-medium">Requires</legend>
            <p className="mb-1 text-xs text-soft">Switching this skill on switches these on too.</p>
            {others.map(({ id, name: other }) => (
              <Checkbox
                key={id}
                label={other}
                checked={requires.includes(id)}
                disabled={!canEdit}
                onChange={(is) =>
                  setRequires(is ? [...requires, id] : requires.filter((each) => each !== id))
                }
              />
            ))}
          </fieldset>
        )}
      </div>
    </Sheet>
  );
}
