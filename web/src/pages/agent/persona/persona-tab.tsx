import { Suspense } from 'react';
import { useArgumentSupport } from '../../../kit/editor/argument-support.ts';
import { CodeEditor } from '../../../kit/editor/code-editor.tsx';
import { Skeleton } from '../../../kit/feedback.tsx';
import { formatCount } from '../../../kit/numbers.ts';
import { lazyPart } from '../../../kit/load-script.ts';
import { useAgentDraft } from '../draft/agent-draft.tsx';
import { ArgumentsTable } from './arguments-table.tsx';

const Program = lazyPart(async () => ({ default: (await import('./program.tsx')).Program }));

/** Who the agent is: its system prompt or the script that computes it, and the arguments that fill it in. */
export function PersonaTab() {
  const { agent } = useAgentDraft();
  const isProgram = agent.source === 'lua' || agent.source === 'typescript';
  return (
    <div className="mx-auto grid max-w-4xl grid-cols-1 gap-8 px-4 py-6 sm:px-6">
      {isProgram ? (
        <Suspense fallback={<Skeleton lines={8} />}>
          <Program />
        </Suspense>
      ) : (
        <Persona />
      )}
      <ArgumentsTable />
    </div>
  );
}

function Persona() {
  const { draft, set, canEdit } = useAgentDraft();
  const support = useArgumentSupport(draft.arguments.map(({ name }) => name));
  return (
    <section>
      <div className="mb-2 flex items-baseline justify-between gap-4">
        <h2 className="font-serif text-lg">Persona</h2>
        <span className="text-xs text-faint tabular">
          {formatCount(draft.systemPrompt.length, 'character')}
        </span>
      </div>
      <CodeEditor
        label="Persona"
        value={draft.systemPrompt}
        onChange={(text) => set('systemPrompt', text)}
        support={support}
        placeholder="You are… Say who this agent is, how it works and what it must not do. {{ starts an argument."
        readOnly={!canEdit}
        className="min-h-64 rounded-md border border-line-strong bg-sheet focus-within:border-leaf"
      />
    </section>
  );
}
