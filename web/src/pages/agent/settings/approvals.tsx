import { Plus, X } from 'lucide-react';
import { type SubmitEvent, useId, useState } from 'react';
import type { AgentDefinition } from '../../../../../src/contract/agent.ts';
import { useHubQuery } from '../../../data/queries.ts';
import { Button, IconButton } from '../../../kit/button.tsx';
import { TextInput } from '../../../kit/field.tsx';
import { PlainSelect } from '../../../kit/selects/plain-select.tsx';
import { useAgentDraft } from '../draft/agent-draft.tsx';

type Rule = AgentDefinition['toolApprovals'][string];

const rules: readonly { value: Rule; label: string }[] = [
  { value: 'allow', label: 'Runs without asking' },
  { value: 'ask', label: 'Asks first' },
  { value: 'deny', label: 'Never runs' },
];

/** Permissions of single tools; they win over the permission of the agent. */
export function Approvals() {
  const { agent, draft, set, canEdit } = useAgentDraft();
  const { data } = useHubQuery('getScope', { id: agent.id });
  const [name, setName] = useState('');
  const listId = useId();
  const entries = Object.entries(draft.toolApprovals);
  const put = (tool: string, rule: Rule): void =>
    set('toolApprovals', { ...draft.toolApprovals, [tool]: rule });
  const add = (event: SubmitEvent): void => {
    event.preventDefault();
    if (name.trim() === '') return;
    put(name.trim(), 'ask');
    setName('');
  };
  return (
    <div className="grid gap-2">
      <h3 className="text-sm font-medium">Permissions per tool</h3>
      <p className="text-xs text-soft">
        A rule for one tool overrides the setting above, in chats and in headless runs.
      </p>
      {entries.length === 0 ? null : (
        <ul className="border-b border-line">
          {entries.map(([tool, rule]) => (
            <li key={tool} className="flex items-center gap-3 border-t border-line py-1.5">
              <span className="min-w-0 flex-1 truncate font-mono text-xs" title={tool}>
                {tool}
              </span>
              <PlainSelect
                label={`Permission of ${tool}`}
                value={rule}
                options={rules}
                disabled={!canEdit}
                onChange={(next) => put(tool, next)}
              />
              {canEdit ? (
                <IconButton
                  label={`Remove the rule of ${tool}`}
                  small
                  onClick={() =>
                    set(
                      'toolApprovals',
                      Object.fromEntries(entries.filter(([other]) => other !== tool)),
                      `Removed the rule of ${tool}.`,
                    )
                  }
                >
                  <X />
                </IconButton>
              ) : null}
            </li>
          ))}
        </ul>
      )}
      {canEdit ? (
        <form onSubmit={add} className="flex gap-2">
          <TextInput
            aria-label="Tool with a rule of its own"
            className="max-w-80 font-mono"
            placeholder="github.delete_repo"
            list={listId}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <datalist id={listId}>
            {data?.tools.map((tool) => (
              <option key={tool.displayName} value={tool.displayName}>
                {tool.description}
              </option>
            ))}
          </datalist>
          <Button type="submit" icon={<Plus />} disabled={name.trim() === ''}>
            Add rule
          </Button>
        </form>
      ) : null}
    </div>
  );
}
