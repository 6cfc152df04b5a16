import { useNavigate, useSearch } from '@tanstack/react-router';
import { Copy, FlaskConical, Plus, Trash2, TriangleAlert } from 'lucide-react';
import { type SubmitEvent, useState } from 'react';
import type { PublishedTool } from '../../../../../src/contract/agent.ts';
import { Button, IconButton } from '../../../kit/button.tsx';
import { Badge, Empty, WarningNote } from '../../../kit/feedback.tsx';
import { TextInput } from '../../../kit/field.tsx';
import { freeId } from '../../../kit/free-id.ts';
import { formatCount } from '../../../kit/numbers.ts';
import { useAgentDraft } from '../draft/agent-draft.tsx';
import { goToTest } from './test-tool.tsx';
import { ToolBuilder } from './tool-builder.tsx';
import { problemsOf } from './tool-problems.ts';

/** What the agent offers to others: a list, and one tool of it in the builder. */
export function PublishedTab() {
  const { draft, set, canEdit } = useAgentDraft();
  const { tool: openId } = useSearch({ from: '/agent/$id/published' });
  const navigate = useNavigate({ from: '/agent/$id/published' });
  const tools = draft.publishedTools;
  const chosen = tools.find(({ id }) => id === openId) ?? tools[0];
  const open = (tool: string): void => void navigate({ search: { tool }, replace: true });
  const add = (tool: PublishedTool): void => {
    set('publishedTools', [...tools, tool]);
    open(tool.id);
  };
  const remove = (tool: PublishedTool): void => {
    const left = tools.filter(({ id }) => id !== tool.id);
    set('publishedTools', left, `Removed ${tool.name} from the draft.`);
  };
  return (
    <div className="mx-auto grid max-w-5xl gap-5 px-4 py-6 sm:px-6">
      {tools.length > 0 && draft.mode !== 'tools' ? <ModeNote /> : null}
      {tools.length === 0 ? (
        <Empty title="No tools yet" command={`zoo agent edit ${draft.id}`}>
          A published tool lets other programs call this agent. It has a name, parameters, and a prompt that
          is filled in from them. The agent answers without a person.
        </Empty>
      ) : (
        <ul className="grid border-b border-line" aria-label="Published tools">
          {tools.map((tool) => (
            <ToolRow
              key={tool.id}
              tool={tool}
              isOpen={tool === chosen}
              onOpen={() => open(tool.id)}
              onTest={() => {
                if (tool === chosen) goToTest();
                else void navigate({ search: { tool: tool.id, test: true }, replace: true });
              }}
              onCopy={() => add(copyOf(tool, tools))}
              onRemove={() => remove(tool)}
            />
          ))}
        </ul>
      )}
      {canEdit ? <NewTool tools={tools} onAdd={add} /> : null}
      {chosen ? (
        <ToolBuilder
          key={chosen.id}
          tool={chosen}
          onChange={(next) =>
            set(
              'publishedTools',
              tools.map((each) => (each.id === next.id ? next : each)),
            )
          }
        />
      ) : null}
    </div>
  );
}

function ModeNote() {
  const { draft, set, canEdit } = useAgentDraft();
  return (
    <WarningNote>
      <span className="flex flex-wrap items-center gap-x-4 gap-y-2">
        This agent is {draft.mode}. Its tools are offered to others once its mode is “tools”.
        {canEdit ? (
          <Button small onClick={() => set('mode', 'tools')}>
            Change mode to tools
          </Button>
        ) : null}
      </span>
    </WarningNote>
  );
}

interface RowProps {
  tool: PublishedTool;
  isOpen: boolean;
  onOpen: () => void;
  onTest: () => void;
  onCopy: () => void;
  onRemove: () => void;
}

function ToolRow({ tool, isOpen, onOpen, onTest, onCopy, onRemove }: RowProps) {
  const { draft, canEdit } = useAgentDraft();
  const problems = problemsOf(tool, draft.publishedTools).length;
  return (
    <li className={`flex items-center gap-2 border-t border-line ${isOpen ? 'bg-leaf-wash/60' : ''}`}>
      <button
        type="button"
        aria-current={isOpen ? 'true' : undefined}
        onClick={onOpen}
        className="grid min-w-0 flex-1 gap-x-4 px-3 py-2.5 text-left -outline-offset-2 sm:grid-cols-[14rem_minmax(0,1fr)_auto]"
      >
        <span className="truncate font-mono text-sm" title={tool.name}>
          {tool.name}
        </span>
        <span className="truncate text-sm text-soft" title={tool.description}>
          {tool.description === '' ? 'No description yet' : tool.description}
        </span>
        <span className="text-xs leading-5 text-soft tabular">
          {formatCount(Object.keys(tool.parameters.properties ?? {}).length, 'parameter')}
        </span>
      </button>
      {problems > 0 ? (
        <Badge tone="amber" icon={<TriangleAlert />}>
          {formatCount(problems, 'problem')}
        </Badge>
      ) : null}
      <Button small icon={<FlaskConical />} aria-label={`Test ${tool.name}`} onClick={onTest}>
        Test
      </Button>
      {canEdit ? (
        <>
          <IconButton label={`Duplicate ${tool.name}`} small onClick={onCopy}>
            <Copy />
          </IconButton>
          <IconButton label={`Remove ${tool.name}`} small onClick={onRemove}>
            <Trash2 />
          </IconButton>
        </>
      ) : null}
    </li>
  );
}

interface NewToolProps {
  tools: readonly PublishedTool[];
  onAdd: (tool: PublishedTool) => void;
}

function NewTool({ tools, onAdd }: NewToolProps) {
  const [name, setName] = useState('');
  const create = (event: SubmitEvent): void => {
    event.preventDefault();
    const wanted = name.trim().replaceAll(/[^A-Za-z0-9_-]+/g, '_');
    if (wanted === '') return;
    onAdd({
      id: freeId(wanted, tools, 'tool'),
      name: wanted,
      description: '',
      parameters: { type: 'object', properties: {} },
      prompt: '',
    });
    setName('');
  };
  return (
    <form onSubmit={create} className="flex gap-2">
      <TextInput
        aria-label="Name of a new tool"
        placeholder="book_flight"
        className="max-w-64 font-mono"
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <Button type="submit" icon={<Plus />} disabled={name.trim() === ''}>
        Add tool
      </Button>
    </form>
  );
}

function copyOf(tool: PublishedTool, tools: readonly PublishedTool[]): PublishedTool {
  const taken = new Set(tools.map(({ name }) => name));
  let name = `${tool.name}_copy`;
  for (let number = 2; taken.has(name); number += 1) name = `${tool.name}_copy_${number}`;
  return { ...tool, id: freeId(name, tools, 'tool'), name };
}
