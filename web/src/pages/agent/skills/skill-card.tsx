import { useSortable } from '@dnd-kit/react/sortable';
import {
  ArrowDown,
  ArrowUp,
  Ellipsis,
  GripVertical,
  Link2,
  Pencil,
  Trash2,
  TriangleAlert,
} from 'lucide-react';
import type { Skill } from '../../../../../src/contract/agent.ts';
import { call } from '../../../data/hub.ts';
import { IconButton } from '../../../kit/button.tsx';
import { Menu } from '../../../kit/menus/menu.tsx';
import { useAgentDraft } from '../draft/agent-draft.tsx';
import { SkillSwitch } from './skill-switch.tsx';
import { useSkillActions } from './use-skill-actions.ts';

interface CardProps {
  skill: Skill;
  index: number;
  count: number;
  onEdit: () => void;
  onMove: (skill: Skill, categoryId: string, index: number) => void;
}

/** A skill: switched here, opened to edit, dragged by its handle or moved by its menu. */
export function SkillCard({ skill, index, count, onEdit, onMove }: CardProps) {
  const { agent, canEdit } = useAgentDraft();
  const { run } = useSkillActions();
  const { ref, handleRef, isDragging } = useSortable({
    id: skill.id,
    index,
    group: skill.categoryId,
    type: 'skill',
    accept: 'skill',
    disabled: !canEdit,
  });
  const { id } = agent;
  const remove = (): void => {
    const next = agent.skills[agent.skills.indexOf(skill) + 1]?.id ?? null;
    void run(
      () => call('deleteSkill', { id, skillId: skill.id }),
      `Deleted ${skill.name}.`,
      async () => {
        await call('createSkill', { id, body: skill });
        await call('patchSkill', { id, skillId: skill.id, body: { before: next } });
      },
    );
  };
  return (
    <li
      ref={ref}
      className={`group rounded-md border border-line bg-sheet p-2.5 ${isDragging ? 'shadow-float' : ''} ${skill.enabled ? '' : 'bg-transparent'}`}
    >
      <div className="flex items-center gap-1.5">
        {canEdit ? (
          <button
            ref={handleRef}
            type="button"
            aria-label={`Drag ${skill.name}`}
            className="-ml-1 cursor-grab touch-none text-faint"
          >
            <GripVertical className="size-4" />
          </button>
        ) : null}
        <button type="button" onClick={onEdit} className="min-w-0 flex-1 truncate text-left font-medium">
          {skill.name}
        </button>
        {canEdit ? (
          <Menu
            align="end"
            trigger={
              <IconButton
                label={`More for ${skill.name}`}
                small
                className="opacity-60 group-hover:opacity-100"
              >
                <Ellipsis />
              </IconButton>
            }
            items={[
              { label: 'Edit', icon: <Pencil />, onSelect: onEdit },
              ...(index > 0
                ? [
                    {
                      label: 'Move up',
                      icon: <ArrowUp />,
                      onSelect: () => onMove(skill, skill.categoryId, index - 1),
                    },
                  ]
                : []),
              ...(index < count - 1
                ? [
                    {
                      label: 'Move down',
                      icon: <ArrowDown />,
                      onSelect: () => onMove(skill, skill.categoryId, index + 1),
                    },
                  ]
                : []),
              ...agent.skillCategories
                .filter((category) => category.id !== skill.categoryId)
                .map((category) => ({
                  label: `Move to ${category.name}`,
                  onSelect: () => onMove(skill, category.id, agent.skills.length),
                })),
              'line',
              { label: 'Delete', icon: <Trash2 />, danger: true, onSelect: remove },
            ]}
          />
        ) : null}
        <SkillSwitch skill={skill} />
      </div>
      <button
        type="button"
        tabIndex={-1}
        aria-hidden
        onClick={onEdit}
        className="mt-1 block w-full text-left"
      >
        <span className={`line-clamp-3 text-sm ${skill.enabled ? 'text-soft' : 'text-faint'}`}>
          {skill.description === '' ? 'No instruction yet' : skill.description}
        </span>
        <Requirements skill={skill} />
      </button>
    </li>
  );
}

/** What the skill builds on, and whether that is on. */
function Requirements({ skill: { requires = [], enabled } }: { skill: Skill }) {
  const { agent } = useAgentDraft();
  if (requires.length === 0) return null;
  const off = requires.filter((id) => !agent.skills.some((other) => other.id === id && other.enabled));
  const nameOf = (id: string): string => agent.skills.find((other) => other.id === id)?.name ?? id;
  const isMissing = enabled && off.length > 0;
  return (
    <span className={`mt-1.5 flex items-center gap-1.5 text-xs ${isMissing ? 'text-amber' : 'text-soft'}`}>
      {isMissing ? <TriangleAlert className="size-3" /> : <Link2 className="size-3" />}
      {isMissing
        ? `Requires ${off.map(nameOf).join(', ')}, which is off`
        : `Requires ${requires.map(nameOf).join(', ')}`}
    </span>
  );
}
