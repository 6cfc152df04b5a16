import { Dialog } from '@base-ui/react/dialog';
import { useNavigate } from '@tanstack/react-router';
import { CornerDownLeft, Search } from 'lucide-react';
import { type KeyboardEvent, useDeferredValue, useId, useMemo, useState } from 'react';
import { Creature } from '../creature/creature.tsx';
import { useHubQuery, useKept } from '../data/queries.ts';
import { destinations } from './navigation.tsx';
import { type PaletteAction, useActions } from './palette-actions.ts';
import { rankActions } from './rank-actions.ts';
import { chooseTheme } from './theme.ts';

/** One letter is about everything. */
const SHORTEST_QUERY = 2;

/** Ctrl/⌘-K: agents, pages and actions by their words, and documents by what they are about. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  return (
    <Dialog.Root
      open
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-ink/20 dark:bg-paper/60" />
        <Dialog.Popup className="fixed top-[12dvh] left-1/2 z-50 w-[calc(100%-1.5rem)] max-w-xl -translate-x-1/2 overflow-hidden rounded-lg border border-line bg-sheet shadow-float transition outline-none data-starting-style:scale-98 data-starting-style:opacity-0">
          <Dialog.Title className="sr-only">Search agents, pages, actions and documents</Dialog.Title>
          <PaletteBody onClose={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** The dialog moves the focus a frame later, and would lose the first key. */
const focusAtOnce = (input: HTMLInputElement | null): void => input?.focus();

function PaletteBody({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const list = useId();
  const shown = [...rankActions(useAllActions(), text), ...useDocuments(text)];
  const run = (action: PaletteAction | undefined): void => {
    if (!action) return;
    onClose();
    action.run();
  };
  const move = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') run(shown[chosen]);
    else if (event.key === 'ArrowDown') setChosen(Math.min(chosen + 1, shown.length - 1));
    else if (event.key === 'ArrowUp') setChosen(Math.max(chosen - 1, 0));
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className="flex items-center gap-2.5 border-b border-line px-4">
        <Search className="size-4 text-faint" />
        <input
          ref={focusAtOnce}
          role="combobox"
          aria-expanded="true"
          aria-controls={list}
          aria-activedescendant={`${list}-${chosen}`}
          aria-label="Search agents, pages, actions and documents"
          placeholder="Search agents, pages, actions and documents"
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setChosen(0);
          }}
          onKeyDown={move}
          className="h-12 flex-1 bg-transparent text-base outline-none"
        />
      </div>
      <div id={list} role="listbox" aria-label="Results" className="max-h-[55dvh] overflow-y-auto p-1.5">
        {shown.map((action, index) => (
          <Row
            key={action.id}
            id={`${list}-${index}`}
            action={action}
            heading={shown[index - 1]?.group === action.group ? null : action.group}
            isChosen={index === chosen}
            onHover={() => setChosen(index)}
            onRun={() => run(action)}
          />
        ))}
        {shown.length === 0 ? <p className="px-3 py-6 text-sm text-soft">Nothing matches “{text}”.</p> : null}
      </div>
    </>
  );
}

interface RowProps {
  id: string;
  action: PaletteAction;
  heading: string | null;
  isChosen: boolean;
  onHover: () => void;
  onRun: () => void;
}

function Row({ id, action, heading, isChosen, onHover, onRun }: RowProps) {
  return (
    <>
      {heading === null ? null : (
        <div role="presentation" className="px-2.5 pt-2 pb-1 text-xs text-faint">
          {heading}
        </div>
      )}
      <div
        id={id}
        role="option"
        aria-selected={isChosen}
        tabIndex={-1}
        ref={(element) => {
          if (isChosen) element?.scrollIntoView({ block: 'nearest' });
        }}
        onMouseMove={onHover}
        onClick={onRun}
        onKeyDown={undefined}
        className={`flex cursor-default items-center gap-2.5 rounded-md px-2.5 py-1.5 text-sm ${isChosen ? 'bg-leaf-wash' : ''}`}
      >
        {action.creature === undefined ? null : <Creature seed={action.creature} size={24} />}
        <span className="truncate">{action.label}</span>
        <span className="min-w-0 flex-1 truncate text-xs text-soft">{action.hint}</span>
        {action.keys === undefined ? null : <kbd className="font-sans text-xs text-faint">{action.keys}</kbd>}
        {isChosen ? <CornerDownLeft className="size-3.5 text-faint" /> : null}
      </div>
    </>
  );
}

/** Documents that are about the text: found by the hub, behind everything that has it in its name. */
function useDocuments(text: string): readonly PaletteAction[] {
  const navigate = useNavigate();
  const query = useDeferredValue(text).trim();
  const isAsked = query.length >= SHORTEST_QUERY;
  const { data } = useHubQuery('searchKnowledge', { body: { query, limit: 6 } }, { enabled: isAsked });
  const answer = useKept(data);
  if (!isAsked || answer === undefined) return [];
  return answer.results.map((hit): PaletteAction => ({
    id: `document ${hit.id}`,
    label: hit.title,
    hint: `${hit.source}/${hit.path}`,
    group: 'Documents',
    run: () => void navigate({ to: '/knowledge', search: { doc: hit.passages[0]?.id ?? hit.id } }),
  }));
}

function useAllActions(): readonly PaletteAction[] {
  const navigate = useNavigate();
  const ofPages = useActions();
  const agents = useHubQuery('listAgents', { tokens: true });
  return useMemo(() => {
    const pages = destinations.map(({ to, label }): PaletteAction => ({
      id: `page ${to}`,
      label,
      group: 'Pages',
      run: () => void navigate({ to }),
    }));
    const themes = (['light', 'dark', 'system'] as const).map((theme): PaletteAction => ({
      id: `theme ${theme}`,
      label: theme === 'system' ? 'Use the system theme' : `Use the ${theme} theme`,
      group: 'Actions',
      run: () => chooseTheme(theme),
    }));
    const all = (agents.data?.agents ?? []).map(
      ({ id, name, description, appearanceSeed }): PaletteAction => ({
        id: `agent ${id}`,
        label: name,
        hint: description,
        group: 'Agents',
        creature: appearanceSeed,
        run: () => void navigate({ to: '/agent/$id/persona', params: { id } }),
      }),
    );
    return [...ofPages, ...all, ...pages, ...themes];
  }, [agents.data, navigate, ofPages]);
}
