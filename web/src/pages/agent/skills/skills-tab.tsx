import { DragDropProvider } from '@dnd-kit/react';
import { isSortable } from '@dnd-kit/react/sortable';
import { FolderPlus } from 'lucide-react';
import { useState } from 'react';
import type { Skill } from '../../../../../src/contract/agent.ts';
import { call } from '../../../data/hub.ts';
import { Button } from '../../../kit/button.tsx';
import { ErrorNote } from '../../../kit/feedback.tsx';
import { formatCount } from '../../../kit/numbers.ts';
import { useAgentDraft } from '../draft/agent-draft.tsx';
import { CategoryColumn } from './category-column.tsx';
import { CopySkills } from './copy-skills.tsx';
import { neighbourAfterMove } from './move-skill.ts';
import { SkillSheet } from './skill-sheet.tsx';
import { useSkillActions } from './use-skill-actions.ts';

/**
 * Skills by category. Each change is an operation on one item, at once and with undo: two windows that toggle two
 * skills do not undo each other.
 */
export function SkillsTab() {
  const { agent, canEdit } = useAgentDraft();
  const [edited, setEdited] = useState<string | null>(null);
  const { error, run } = useSkillActions();
  const skill = agent.skills.find(({ id }) => id === edited);
  // The default category is always there; it is worth a column only if it holds something.
  const shown = agent.skillCategories
    .map((category, index) => ({ category, index }))
    .filter(
      ({ category: { id } }, _, all) =>
        id !== 'general' || all.length === 1 || agent.skills.some(({ categoryId }) => categoryId === id),
    );
  const active = agent.skills.filter(({ enabled }) => enabled).length;

  const move = (moved: Skill, categoryId: string, index: number): void => {
    const before = neighbourAfterMove(agent.skills, moved, categoryId, index);
    if (before === undefined) return;
    void run(() => call('patchSkill', { id: agent.id, skillId: moved.id, body: { categoryId, before } }));
  };
  return (
    <div className="px-4 py-6 sm:px-6">
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <p className="mr-auto text-base text-soft">
          {agent.skills.length === 0
            ? 'A skill is a piece of the prompt that can be switched on and off.'
            : `${formatCount(active, 'skill')} of ${agent.skills.length} on. A switch counts at once.`}
        </p>
        {canEdit ? (
          <>
            <CopySkills />
            <Button
              icon={<FolderPlus />}
              onClick={() =>
                void run(() => call('createCategory', { id: agent.id, body: { name: 'New category' } }))
              }
            >
              Add category
            </Button>
          </>
        ) : null}
      </div>
      {error ? <ErrorNote error={error} /> : null}
      <DragDropProvider
        onDragEnd={({ operation: { source, target }, canceled }) => {
          if (canceled || !isSortable(source)) return;
          const moved = agent.skills.find(({ id }) => id === source.id);
          const { group, index } = source.sortable;
          const column = categoryOf(target?.id);
          // Between cards, the place is where the card shows it; the column itself is all that an empty one has.
          if (moved && column !== null && column !== moved.categoryId)
            move(moved, column, agent.skills.length);
          else if (moved && typeof group === 'string') move(moved, group, index);
        }}
      >
        <div className="grid grid-cols-[repeat(auto-fill,minmax(15rem,1fr))] items-start gap-5">
          {shown.map(({ category, index }) => (
            <CategoryColumn
              key={category.id}
              category={category}
              index={index}
              skills={agent.skills.filter(({ categoryId }) => categoryId === category.id)}
              onEdit={setEdited}
              onMove={move}
            />
          ))}
        </div>
      </DragDropProvider>
      {skill ? <SkillSheet key={skill.id} skill={skill} onClose={() => setEdited(null)} /> : null}
    </div>
  );
}

/** The category of a column that something was dropped on. */
const categoryOf = (id: unknown): string | null =>
  typeof id === 'string' && id.startsWith('category ') ? id.slice('category '.length) : null;
