import { ChevronRight } from 'lucide-react';
import type { PublishedTool } from '../../../../../src/contract/agent.ts';
import { Checkbox } from '../../../kit/choice.tsx';
import { Field, TextInput } from '../../../kit/field.tsx';
import { useAgentDraft } from '../draft/agent-draft.tsx';
import { ListField } from '../settings/list-field.tsx';
import { withoutEmpty } from './schema/edit-schema.ts';
import { PropertyList } from './schema/property-list.tsx';
import { NumberInput } from './schema/schema-inputs.tsx';

interface OptionsProps {
  tool: PublishedTool;
  onChange: (tool: PublishedTool) => void;
}

const hints = [
  { key: 'readOnlyHint', label: 'Read-only' },
  { key: 'destructiveHint', label: 'Destructive' },
  { key: 'idempotentHint', label: 'Idempotent: repeating a call changes nothing more' },
  { key: 'openWorldHint', label: 'Reaches beyond this machine' },
] as const;

/** Advanced options. */
export function ToolOptions({ tool, onChange }: OptionsProps) {
  const { canEdit } = useAgentDraft();
  const { annotations = {}, output } = tool;
  const change = (part: Partial<PublishedTool>): void => onChange(withoutEmpty({ ...tool, ...part }));
  return (
    <details className="group border-t border-line pt-3">
      <summary className="flex cursor-pointer list-none items-center gap-1.5 text-sm font-medium">
        <ChevronRight className="size-4 text-soft group-open:rotate-90" /> Version, caching, conversations and
        structured answers
      </summary>
      <div className="mt-4 grid gap-5">
        <div className="grid gap-4 sm:grid-cols-3">
          <Field label="Version" hint="Any version you like.">
            {(ids) => (
              <TextInput
                {...ids}
                value={tool.version ?? ''}
                disabled={!canEdit}
                onChange={({ target }) => change({ version: target.value })}
              />
            )}
          </Field>
          <NumberInput
            label="Cache identical calls, in seconds"
            value={tool.cache}
            disabled={!canEdit}
            onChange={(cache) => change({ cache })}
          />
          <div className="self-center">
            <Checkbox
              label="Callers can continue a conversation"
              checked={tool.context === 'shared'}
              disabled={!canEdit}
              onChange={(shared) => change({ context: shared ? 'shared' : undefined })}
            />
          </div>
        </div>
        <ListField
          label="Needs"
          hint="Tools of the agent's scope or knowledge sources. While one is missing, the tool is not offered."
          placeholder="search"
          items={tool.requires ?? []}
          disabled={!canEdit}
          onChange={(items) => change({ requires: items.length === 0 ? undefined : items })}
        />
        <fieldset className="grid gap-2">
          <legend className="mb-2 text-sm font-medium">Hints for clients</legend>
          {hints.map(({ key, label }) => (
            <Checkbox
              key={key}
              label={label}
              checked={annotations[key] ?? false}
              disabled={!canEdit}
              onChange={(is) => {
                const next = withoutEmpty({ ...annotations, [key]: is || undefined });
                change({ annotations: Object.keys(next).length === 0 ? undefined : next });
              }}
            />
          ))}
        </fieldset>
        <div className="grid gap-2">
          <Checkbox
            label="Answers in a fixed shape (structured content)"
            checked={output !== undefined}
            disabled={!canEdit}
            onChange={(is) => change({ output: is ? { type: 'object', properties: {} } : undefined })}
          />
          {output ? (
            <PropertyList
              owner="the answer"
              schema={output}
              disabled={!canEdit}
              onChange={(next) => change({ output: next })}
            />
          ) : null}
        </div>
      </div>
    </details>
  );
}
