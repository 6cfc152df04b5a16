import { Link, useNavigate } from '@tanstack/react-router';
import { Copy, Ellipsis, Lock, Trash2, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { AgentSummary } from '../../../../src/contract/agent.ts';
import { Creature, moodWords } from '../../creature/creature.tsx';
import type { Mood } from '../../creature/eyes.ts';
import { call } from '../../data/hub.ts';
import { IconButton } from '../../kit/button.tsx';
import { HubText } from '../../kit/hub-text/hub-text.tsx';
import { Menu } from '../../kit/menus/menu.tsx';
import { formatCount, formatNumber } from '../../kit/numbers.ts';
import { notify } from '../../kit/toasts.tsx';

export const SPECIMEN_HEIGHT = 268;

interface SpecimenProps {
  agent: AgentSummary;
  /** Null while it is not known. */
  mood: Mood | null;
  warnings: number;
}

/** One agent on the plate: its drawing, its name, what it does, where it was found and what it costs to keep. */
export function Specimen({ agent, mood, warnings }: SpecimenProps) {
  return (
    <li className="group relative border-r border-b border-line" style={{ height: SPECIMEN_HEIGHT }}>
      <Link
        to="/agent/$id/persona"
        params={{ id: agent.id }}
        className="flex h-full flex-col px-5 pt-4 pb-3.5 transition-colors -outline-offset-2 hover:bg-sheet"
      >
        <Creature
          seed={agent.appearanceSeed}
          size={104}
          {...(mood === null ? {} : { mood })}
          className="transition-transform duration-180 ease-out group-hover:-translate-y-1"
        />
        <span className="mt-1.5 mb-2.5 h-px w-26 shrink-0 bg-line-strong" />
        <span className="truncate font-serif text-lg" title={agent.name}>
          {agent.name}
        </span>
        <span
          className="mt-0.5 line-clamp-2 text-sm text-soft"
          title={agent.trusted ? agent.description : undefined}
        >
          {describe(agent)}
        </span>
        <span className="mt-auto flex items-center gap-2 pt-2 text-xs text-faint tabular">
          <span className="truncate" title={agent.origin?.path}>
            {whereOf(agent)}
          </span>
          {mood === null ? null : <MoodWord mood={mood} />}
          <Warnings agent={agent} count={warnings} />
          <Price agent={agent} />
        </span>
      </Link>
      <div className="absolute top-2.5 right-2.5 opacity-0 transition-opacity group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100">
        <SpecimenMenu agent={agent} />
      </div>
    </li>
  );
}

/** The hub's own words stand in for an agent whose program may not run yet. */
function describe({ id, description, trusted }: AgentSummary): ReactNode {
  if (description === '') return id;
  return trusted ? description : <HubText>{description}</HubText>;
}

/** In sight where something is to be done; for screen readers always. */
function MoodWord({ mood }: { mood: Mood }) {
  const isSaid = mood === 'working' || mood === 'waiting' || mood === 'unwell';
  const tone = mood === 'waiting' ? 'text-amber' : mood === 'unwell' ? 'text-danger' : 'text-leaf';
  return <span className={isSaid ? `shrink-0 ${tone}` : 'sr-only'}>{moodWords[mood].split(':')[0]}</span>;
}

function whereOf({ source, mode, origin, featured }: AgentSummary): string {
  const file = origin?.path.split(/[\\/]/).at(-1);
  return `${featured === undefined ? '' : `${featured} · `}${file ?? source}${mode === 'interactive' ? '' : ` · ${mode}`}`;
}

/** Unknown for an agent that is not approved: its program has not run. */
function Price({ agent: { tokens, trusted } }: { agent: AgentSummary }) {
  if (!tokens || !trusted) return null;
  const { prompt, tools } = tokens;
  return (
    <span
      className="ml-auto shrink-0 whitespace-nowrap"
      title={`${formatNumber(prompt)} tokens of prompt, ${formatNumber(tools)} of tools`}
    >
      {formatNumber(prompt + tools)} tokens
    </span>
  );
}

function Warnings({ agent, count }: { agent: AgentSummary; count: number }) {
  if (!agent.trusted) {
    return (
      <span className="inline-flex items-center gap-1 text-amber" title="Its workspace is not approved yet">
        <Lock className="size-3" /> not approved
      </span>
    );
  }
  const text = agent.stale ?? (count > 0 ? formatCount(count, 'warning') : null);
  if (text === null) return null;
  return (
    <span className="inline-flex shrink-0 items-center gap-1 text-amber" title={text}>
      <TriangleAlert className="size-3" /> {agent.stale === undefined ? text : 'file is broken'}
    </span>
  );
}

function SpecimenMenu({ agent: { id, name, source } }: { agent: AgentSummary }) {
  const navigate = useNavigate();
  const clone = async (): Promise<void> => {
    const made = await call('cloneAgent', { id });
    notify(`Copied ${name} to the editor.`, () => void call('deleteAgent', { id: made.id }));
    await navigate({ to: '/agent/$id/persona', params: { id: made.id } });
  };
  const remove = async (): Promise<void> => {
    await call('deleteAgent', { id });
    notify(`Deleted ${name}.`, () => void call('undeleteAgent', { id }));
  };
  return (
    <Menu
      align="end"
      trigger={
        <IconButton label={`More for ${name}`} small>
          <Ellipsis />
        </IconButton>
      }
      items={[
        {
          label: source === 'editor' ? 'Clone' : 'Copy to editor',
          icon: <Copy />,
          onSelect: () => void clone(),
        },
        ...(source === 'editor'
          ? [{ label: 'Delete', icon: <Trash2 />, danger: true, onSelect: () => void remove() }]
          : []),
      ]}
    />
  );
}
