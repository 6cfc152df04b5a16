import { Plus, X } from 'lucide-react';
import { type SubmitEvent, useState } from 'react';
import type { ScopePreview } from '../../../../../src/contract/scope.ts';
import type { ToolDescriptor } from '../../../../../src/contract/tool.ts';
import { Button } from '../../../kit/button.tsx';
import { Badge } from '../../../kit/feedback.tsx';
import { TextInput } from '../../../kit/field.tsx';
import { formatCount } from '../../../kit/numbers.ts';
import { useAgentDraft } from '../draft/agent-draft.tsx';

interface EntriesProps {
  preview: ScopePreview;
  granted: readonly ToolDescriptor[];
}

/** The list as it is written: names, globs, groups and exclusions, and what it amounts to. */
export function ScopeEntries({ preview, granted }: EntriesProps) {
  const { draft, set, canEdit } = useAgentDraft();
  const { tools } = draft;
  const tokens = granted.reduce((sum, tool) => sum + (tool.tokens ?? 0), 0);
  return (
    <section aria-label="Scope" className="grid gap-3">
      <p className="text-base">
        {meaning(tools, granted.length)}{' '}
        <span className="text-soft tabular">{formatCount(tokens, 'token')} in every prompt.</span>
        {granted.length > preview.searchAbove ? (
          <span className="block text-sm text-soft">
            More than {preview.searchAbove}: clients get find_tools and call_tool instead of the whole list,
            which costs far less.
          </span>
        ) : null}
      </p>
      {tools === null || tools.length === 0 ? null : (
        <ul aria-label="Entries" className="flex flex-wrap gap-1.5">
          {tools.map((entry) => (
            <Entry
              key={entry}
              entry={entry}
              kind={kindOf(entry, preview)}
              disabled={!canEdit}
              onRemove={() =>
                set(
                  'tools',
                  tools.filter((other) => other !== entry),
                  `Removed ${entry}.`,
                )
              }
            />
          ))}
        </ul>
      )}
      {canEdit ? <Edits preview={preview} /> : null}
      {preview.clientTools.length === 0 ? null : (
        <p className="text-sm text-soft">
          The client&rsquo;s own tools, passed through and not served by the hub:{' '}
          <span className="font-mono text-xs text-ink">{preview.clientTools.join(', ')}</span>
        </p>
      )}
    </section>
  );
}

function meaning(tools: readonly string[] | null, granted: number): string {
  if (tools === null) return `No list, so the default: the ${granted} read-only tools of the hub itself.`;
  if (tools.length === 0) return 'An empty list: no tools at all.';
  return `${formatCount(granted, 'tool')} granted by ${formatCount(tools.length, 'entry', 'entries')}.`;
}

type Kind = 'away' | 'client' | 'group' | 'glob' | 'without' | 'name';

function kindOf(entry: string, { unknown, clientTools, groups }: ScopePreview): Kind {
  if (clientTools.includes(entry)) return 'client';
  if (unknown.includes(entry)) return 'away';
  const body = entry.replace(/^!/, '');
  if (entry.startsWith('!')) return 'without';
  if (groups.some(({ name }) => name === body)) return 'group';
  return body.includes('*') ? 'glob' : 'name';
}

const kindWords: Record<Kind, string> = {
  away: 'not available',
  client: 'of the client',
  group: 'group',
  glob: 'glob',
  without: 'excluded',
  name: '',
};

interface EntryProps {
  entry: string;
  kind: Kind;
  disabled: boolean;
  onRemove: () => void;
}

function Entry({ entry, kind, disabled, onRemove }: EntryProps) {
  const title =
    kind === 'away'
      ? 'No tool has this name. Its server may be offline, or the name misspelt. The entry is kept.'
      : undefined;
  return (
    <li
      title={title}
      className={`inline-flex items-center gap-1.5 rounded-sm border pl-2 font-mono text-xs ${kind === 'away' ? 'border-amber/40 bg-amber-wash' : 'border-line bg-wash'} ${disabled ? 'pr-2' : ''}`}
    >
      <span className="break-all">{entry}</span>
      {kindWords[kind] === '' ? null : (
        <span className={`font-sans ${kind === 'away' ? 'text-amber' : 'text-soft'}`}>{kindWords[kind]}</span>
      )}
      {disabled ? null : (
        <button
          type="button"
          aria-label={`Remove ${entry}`}
          className="grid size-6 place-items-center text-soft hover:text-ink"
          onClick={onRemove}
        >
          <X className="size-3" />
        </button>
      )}
    </li>
  );
}

function Edits({ preview }: { preview: ScopePreview }) {
  const { draft, set } = useAgentDraft();
  const [text, setText] = useState('');
  const add = (entry: string): void => {
    const list = draft.tools ?? [];
    if (entry !== '' && !list.includes(entry)) set('tools', [...list, entry]);
    setText('');
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    add(text.trim());
  };
  const groups = preview.groups.filter(({ name }) => draft.tools?.includes(name) !== true);
  return (
    <div className="flex flex-wrap items-center gap-2">
      <form onSubmit={submit} className="flex min-w-0 flex-1 basis-80 gap-2">
        <TextInput
          aria-label="Add an entry"
          placeholder="github.* or !github.delete_*"
          className="max-w-64 min-w-0 font-mono text-xs"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <Button type="submit" icon={<Plus />} disabled={text.trim() === ''}>
          Add entry
        </Button>
      </form>
      {groups.map(({ name, tools }) => (
        <button key={name} type="button" onClick={() => add(name)} className="rounded-sm hover:bg-press">
          <Badge icon={<Plus />}>
            {name}, {formatCount(tools, 'tool')}
          </Badge>
        </button>
      ))}
      <span className="ml-auto flex gap-2">
        {draft.tools === null ? null : (
          <Button small look="quiet" onClick={() => set('tools', null, 'The agent has the default tools.')}>
            Use the default
          </Button>
        )}
        {draft.tools?.length === 0 ? null : (
          <Button small look="quiet" onClick={() => set('tools', [], 'The agent has no tools.')}>
            No tools
          </Button>
        )}
      </span>
    </div>
  );
}
