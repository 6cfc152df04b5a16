import { DragDropProvider } from '@dnd-kit/react';
import { FolderPlus } from 'lucide-react';
import { useState } from 'react';
import type { Skill } from '../../../../../src/contract/agent.ts';
import { call } from '../../../data/hub.ts';
import { Button } from '../../../kit/button.tsx';
import { adoptDragStyles } from '../../../kit/drag-styles.ts';
import { ErrorNote } from '../../../kit/feedback.tsx';
import { formatCount } from '../../../kit/numbers.ts';
import { useAgentDraft } from '../draft/agent-draft.tsx';
import { CategoryColumn } from './category-column.tsx';
import { CopySkills } from './copy-skills.tsx';
import { DroppedSkills } from './dropped-skills.tsx';
import { dragOver, neighbourAfterMove, placeAfterDrag } from './move-skill.ts';
import { SkillSheet } from './skill-sheet.tsx';
import { useSkillActions } from './use-skill-actions.ts';

adoptDragStyles();

/**
 * Skills by category. Each change is an operation on one item, at once and with undo: two windows that toggle two
 * skills do not undo each other.
 */
export function SkillsTab() {
  const { agent, canEdit } = useAgentDraft();
  const [edited, setEdited] = useState<string | null>(null);
  const { error, run } = useSkillActions();
  const [dragged, setDragged] = useState<{ skills: readonly Skill[]; from: readonly Skill[] } | null>(null);
  // Optimistic: the dropped skill keeps its place until the hub confirms the new order.
  const skills = dragged?.from === agent.skills ? dragged.skills : agent.skills;
  const skill = agent.skills.find(({ id }) => id === edited);
  // The default category is always there; it is worth a column only if it holds something.
  const shown = agent.skillCategories
    .map((category, index) => ({ category, index }))
    .filter(
      ({ category: { id } }, _, all) =>
        id !== 'general' || all.length === 1 || skills.some(({ categoryId }) => categoryId === id),
    );
  const active = agent.skills.filter(({ enabled }) => enabled).length;

  const move = (moved: Skill, categoryId: string, index: number): void => {
    const before = neighbourAfterMove(agent.skills, moved, categoryId, index);
    if (before === undefined) return;
    void run(() => call('patchSkill', { id: agent.id, skillId: moved.id, body: { categoryId, before } }));
  };
  return (
    <div className="px-4 py-6 sm:px-6">
      {canEdit ? <DroppedSkills agentId={agent.id} /> : null}
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <p className="mr-auto text-base text-soft">
          {agent.skills.length === 0
            ? 'A skill is a piece of the prompt that can be switched on and off. Drop a SKILL.md here to add one.'
            : `${formatCount(active, 'skill')} of ${agent.skills.length} on. Switches take effect at once.`}
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
        onDragOver={(event) => {
          const { source, target } = event.operation;
          // Without this, the library moves the elements itself, and React no longer finds them where it put them.
          event.preventDefault();
          if (source && target) {
            const moved = dragOver(skills, String(source.id), String(target.id));
            if (moved !== skills) setDragged({ skills: moved, from: agent.skills });
          }
        }}
        onDragEnd={({ operation: { source }, canceled }) => {
          if (canceled || !source || skills === agent.skills) return setDragged(null);
          const skillId = String(source.id);
          const body = placeAfterDrag(skills, skillId);
          void run(() =>
            call('patchSkill', { id: agent.id, skillId, body }).catch((failure: unknown) => {
              setDragged(null);
              throw failure;
            }),
          );
        }}
      >
        <div className="grid grid-cols-[repeat(auto-fill,minmax(15rem,1fr))] items-start gap-5">
          {shown.map(({ category, index }) => (
            <CategoryColumn
              key={category.id}
              category={category}
              index={index}
              skills={skills.filter(({ categoryId }) => categoryId === category.id)}
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
