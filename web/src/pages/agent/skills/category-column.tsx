import { useDroppable } from '@dnd-kit/react';
import { ArrowLeft, ArrowRight, Ellipsis, Plus, Trash2 } from 'lucide-react';
import { type SubmitEvent, useState } from 'react';
import type { CategoryColor, Skill, SkillCategory } from '../../../../../src/contract/agent.ts';
import { call } from '../../../data/hub.ts';
import { IconButton } from '../../../kit/button.tsx';
import { ErrorNote } from '../../../kit/feedback.tsx';
import { Menu } from '../../../kit/menus/menu.tsx';
import { HUES } from '../../../kit/hues.ts';
import { useAgentDraft } from '../draft/agent-draft.tsx';
import { columnId } from './move-skill.ts';
import { SkillCard } from './skill-card.tsx';
import { useSkillActions } from './use-skill-actions.ts';

interface ColumnProps {
  category: SkillCategory;
  index: number;
  skills: readonly Skill[];
  onEdit: (skillId: string) => void;
  onMove: (skill: Skill, categoryId: string, index: number) => void;
}

/** One category with its skills, in its colour. */
export function CategoryColumn({ category, index, skills, onEdit, onMove }: ColumnProps) {
  const { canEdit } = useAgentDraft();
  const { ref } = useDroppable({
    id: columnId(category.id),
    type: 'category',
    accept: 'skill',
    // Cards win over the column that they lie in.
    collisionPriority: 1,
    disabled: !canEdit,
  });
  return (
    <section
      ref={ref}
      aria-label={category.name}
      data-hue={category.color ?? HUES[index % HUES.length]}
      className="grid gap-2 border-t-2 border-hue pt-2.5"
    >
      <ColumnHead category={category} index={index} count={skills.length} />
      <ul className="grid min-h-10 gap-2">
        {skills.map((skill, place) => (
          <SkillCard
            key={skill.id}
            skill={skill}
            index={place}
            count={skills.length}
            onEdit={() => onEdit(skill.id)}
            onMove={onMove}
          />
        ))}
      </ul>
      {canEdit ? <NewSkill categoryId={category.id} onMade={onEdit} /> : null}
    </section>
  );
}

function ColumnHead({ category, index, count }: { category: SkillCategory; index: number; count: number }) {
  const { agent, canEdit } = useAgentDraft();
  const { error, run } = useSkillActions();
  const [name, setName] = useState<string | null>(null);
  const { id } = agent;
  const categoryId = category.id;
  const patch = (body: { name?: string; color?: CategoryColor; before?: string | null }): Promise<void> =>
    run(() => call('patchCategory', { id, categoryId, body }));
  const rename = (): void => {
    if (name !== null && name.trim() !== '' && name !== category.name) void patch({ name });
    setName(null);
  };
  const remove = (): void => {
    const held = agent.skills.filter((skill) => skill.categoryId === categoryId);
    void run(
      () => call('deleteCategory', { id, categoryId }),
      held.length > 0 ? `Deleted ${category.name}; its skills are in General.` : `Deleted ${category.name}.`,
      async () => {
        await call('createCategory', { id, body: category });
        for (const { id: skillId } of held) await call('patchSkill', { id, skillId, body: { categoryId } });
      },
    );
  };
  const others = agent.skillCategories;
  return (
    <>
      <div className="flex items-center gap-2">
        {name === null ? (
          <h3 className="min-w-0 flex-1 truncate font-medium text-hue">
            {category.name} <span className="font-normal text-faint tabular">{count}</span>
          </h3>
        ) : (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              rename();
            }}
            className="min-w-0 flex-1"
          >
            <input
              aria-label="Name of the category"
              value={name}
              ref={(input) => input?.focus()}
              onChange={({ target }) => setName(target.value)}
              onBlur={rename}
              className="w-full rounded-sm border border-line-strong bg-sheet px-1.5 py-0.5"
            />
          </form>
        )}
        {canEdit ? (
          <Menu
            align="end"
            trigger={
              <IconButton label={`More for ${category.name}`} small>
                <Ellipsis />
              </IconButton>
            }
            items={[
              { label: 'Rename', onSelect: () => setName(category.name) },
              ...(index > 0
                ? [
                    {
                      label: 'Move left',
                      icon: <ArrowLeft />,
                      onSelect: () => void patch({ before: others[index - 1]?.id ?? null }),
                    },
                  ]
                : []),
              ...(index < others.length - 1
                ? [
                    {
                      label: 'Move right',
                      icon: <ArrowRight />,
                      onSelect: () => void patch({ before: others[index + 2]?.id ?? null }),
                    },
                  ]
                : []),
              'line',
              ...HUES.map((color) => ({
                label: color.charAt(0).toUpperCase() + color.slice(1),
                icon: <span data-hue={color} className="size-3 rounded-full bg-hue" />,
                checked: color === (category.color ?? HUES[index % HUES.length]),
                onSelect: () => void patch({ color }),
              })),
              ...(categoryId === 'general'
                ? []
                : ['line' as const, { label: 'Delete', icon: <Trash2 />, danger: true, onSelect: remove }]),
            ]}
          />
        ) : null}
      </div>
      {error ? <ErrorNote error={error} /> : null}
    </>
  );
}

function NewSkill({ categoryId, onMade }: { categoryId: string; onMade: (id: string) => void }) {
  const { agent } = useAgentDraft();
  const { error, run } = useSkillActions();
  const [name, setName] = useState('');
  const create = (event: SubmitEvent): void => {
    event.preventDefault();
    if (name.trim() === '') return;
    // At once: Enter pressed twice creates one skill.
    setName('');
    void run(async () => {
      try {
        onMade((await call('createSkill', { id: agent.id, body: { name, categoryId } })).id);
      } catch (failure) {
        setName((now) => (now === '' ? name : now));
        throw failure;
      }
    });
  };
  return (
    <form onSubmit={create} className="flex items-center gap-2 text-soft">
      <Plus className="size-4 shrink-0" />
      <input
        aria-label="Name of a new skill"
        placeholder="Add a skill"
        value={name}
        onChange={({ target }) => setName(target.value)}
        className="h-8 w-full rounded-sm bg-transparent px-1 text-ink hover:bg-wash"
      />
      {error ? <ErrorNote error={error} /> : null}
    </form>
  );
}
