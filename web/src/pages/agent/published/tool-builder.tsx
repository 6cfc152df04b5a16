import { useState } from 'react';
import type { PublishedTool } from '../../../../../src/contract/agent.ts';
import type { ToolProblem } from '../../../../../src/contract/published/check-published-tool.ts';
import { CodeEditor } from '../../../kit/editor/code-editor.tsx';
import { Field, TextArea, TextInput } from '../../../kit/field.tsx';
import { Segments } from '../../../kit/segments.tsx';
import { useAgentDraft } from '../draft/agent-draft.tsx';
import { renameReferences } from './schema/edit-schema.ts';
import { PropertyList } from './schema/property-list.tsx';
import { SchemaJson } from './schema/schema-json.tsx';
import { TestTool } from './test-tool.tsx';
import { useTemplateSupport } from './template-support.ts';
import { ToolOptions } from './tool-options.tsx';
import { placeOf, problemsOf } from './tool-problems.ts';

interface BuilderProps {
  tool: PublishedTool;
  onChange: (tool: PublishedTool) => void;
}

/** One published tool: what callers are told, what they fill in, and the prompt that it becomes. */
export function ToolBuilder({ tool, onChange }: BuilderProps) {
  const { draft, canEdit } = useAgentDraft();
  const problems = problemsOf(tool, draft.publishedTools);
  const about = (field: string): ToolProblem[] => problems.filter(({ path }) => path[0] === field);
  return (
    <section aria-label={`Tool ${tool.name}`} className="@container grid gap-8">
      <div className="grid gap-4 @2xl:grid-cols-[16rem_minmax(0,1fr)]">
        <Field
          label="Name"
          hint="As callers see it."
          error={about('name')[0] ? `The name ${about('name')[0]?.message}.` : null}
        >
          {(ids) => (
            <TextInput
              {...ids}
              className="font-mono"
              value={tool.name}
              disabled={!canEdit}
              onChange={({ target }) => onChange({ ...tool, name: target.value })}
            />
          )}
        </Field>
        <Field label="Description" hint="Tells the calling model when to use it, and what comes back.">
          {(ids) => (
            <TextArea
              {...ids}
              rows={1}
              className="!min-h-8.5"
              value={tool.description}
              disabled={!canEdit}
              onChange={({ target }) => onChange({ ...tool, description: target.value })}
            />
          )}
        </Field>
      </div>
      <Parameters tool={tool} problems={about('parameters')} onChange={onChange} />
      <Template tool={tool} problems={about('prompt')} onChange={onChange} />
      <TestTool tool={tool} onChange={onChange} />
      <ToolOptions tool={tool} onChange={onChange} />
    </section>
  );
}

interface PartProps extends BuilderProps {
  problems: readonly ToolProblem[];
}

function Parameters({ tool, problems, onChange }: PartProps) {
  const { canEdit } = useAgentDraft();
  const [view, setView] = useState<'builder' | 'both' | 'json'>('both');
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-serif text-lg">Parameters</h2>
        <Segments
          label="View of the parameters"
          value={view}
          onChange={setView}
          options={[
            { value: 'builder', label: 'Builder' },
            { value: 'both', label: 'Side by side' },
            { value: 'json', label: 'JSON' },
          ]}
        />
      </div>
      <div
        className={`grid gap-5 ${view === 'both' ? '@2xl:grid-cols-[minmax(0,1fr)_18rem] @4xl:grid-cols-2' : ''}`}
      >
        {view === 'json' ? null : (
          <PropertyList
            owner={null}
            schema={tool.parameters}
            disabled={!canEdit}
            onChange={(parameters, renamed) =>
              onChange({
                ...tool,
                parameters,
                prompt: renamed ? renameReferences(tool.prompt, renamed.from, renamed.to) : tool.prompt,
              })
            }
          />
        )}
        {view === 'builder' ? null : (
          <SchemaJson
            schema={tool.parameters}
            disabled={!canEdit}
            onChange={(parameters) => onChange({ ...tool, parameters })}
          />
        )}
      </div>
      <Problems problems={problems} />
    </div>
  );
}

function Template({ tool, problems, onChange }: PartProps) {
  const { canEdit } = useAgentDraft();
  const support = useTemplateSupport(tool.parameters);
  return (
    <div className="grid gap-2">
      <h2 className="font-serif text-lg">Prompt</h2>
      <p className="text-sm text-soft">
        What the agent is asked when the tool is called. <code className="font-mono">{'{parameter}'}</code> is
        filled in; <code className="font-mono">{'{{'}</code> is a brace.
      </p>
      <CodeEditor
        label="Prompt template"
        value={tool.prompt}
        support={support}
        readOnly={!canEdit}
        placeholder="The user wants to book a flight to {destination} on {departure_date}."
        onChange={(prompt) => {
          if (prompt !== tool.prompt) onChange({ ...tool, prompt });
        }}
        className="min-h-28 rounded-md border border-line-strong bg-sheet focus-within:border-leaf"
      />
      <Problems problems={problems} />
    </div>
  );
}

function Problems({ problems }: { problems: readonly ToolProblem[] }) {
  if (problems.length === 0) return null;
  return (
    <ul role="alert" className="grid gap-1 text-xs text-danger">
      {problems.map((problem, index) => (
        <li key={index} className="break-words">
          {placeOf(problem) === 'prompt' ? '' : `${placeOf(problem)}: `}
          {problem.message}
        </li>
      ))}
    </ul>
  );
}
