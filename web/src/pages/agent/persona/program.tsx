import { Play } from 'lucide-react';
import { useState } from 'react';
import type { ResolvedAgent } from '../../../../../src/contract/resolved.ts';
import { useHubMutation, useHubQuery } from '../../../data/queries.ts';
import { Button } from '../../../kit/button.tsx';
import { CodeEditor } from '../../../kit/editor/code-editor.tsx';
import { ErrorNote, Skeleton, WarningNote } from '../../../kit/feedback.tsx';
import { Field, TextInput } from '../../../kit/field.tsx';
import { formatCount, formatDuration } from '../../../kit/numbers.ts';
import { useAgentDraft } from '../draft/agent-draft.tsx';
import { HubText } from '../../../kit/hub-text/hub-text.tsx';

/** Without a language: Lua and TypeScript are shown as they are. */
const plain: [] = [];

/** An agent that a script computes: its source, what is wrong with it, and one run of it. */
export function Program() {
  return (
    <>
      <Problems />
      <Source />
      <Resolve />
    </>
  );
}

function Problems() {
  const { agent } = useAgentDraft();
  const all = useHubQuery('listDiagnostics', {}).data?.diagnostics ?? [];
  const mine = all.filter(
    ({ agentId, file }) => agentId === agent.id || (file !== null && file === agent.origin?.path),
  );
  if (mine.length === 0) return null;
  return (
    <section className="grid gap-2" aria-label="Script problems">
      {mine.map(({ message, hint, file, line }, index) => (
        <WarningNote key={index}>
          <HubText>{message}</HubText>
          {line === null ? '' : ` (line ${line})`}
          <span className="block font-mono text-xs text-soft">{file}</span>
          {hint === null ? null : (
            <span className="block text-soft">
              <HubText>{hint}</HubText>
            </span>
          )}
        </WarningNote>
      ))}
    </section>
  );
}

function Source() {
  const { agent } = useAgentDraft();
  const { data, error } = useHubQuery('getAgentSource', { id: agent.id });
  return (
    <section>
      <div className="mb-2 flex items-baseline justify-between gap-4">
        <h2 className="font-serif text-lg">Source</h2>
        <span className="truncate font-mono text-xs text-soft" title={agent.origin?.path}>
          {agent.origin?.path}
        </span>
      </div>
      {error ? <ErrorNote error={error} /> : null}
      {data ? (
        <CodeEditor
          label="Source"
          value={data.text}
          language={plain}
          readOnly
          className="max-h-[32rem] overflow-y-auto rounded-md border border-line bg-sheet"
        />
      ) : null}
      {!data && !error ? <Skeleton lines={8} /> : null}
    </section>
  );
}

function Resolve() {
  const { agent } = useAgentDraft();
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const { mutate, data, error, isPending } = useHubMutation('resolveAgent');
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
  return (
    <section className="grid gap-3">
      <h2 className="font-serif text-lg">Run it once</h2>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          mutate({ name: agent.id, body: { arguments: given } });
        }}
      >
        {agent.arguments.map(({ name, description, required, default: usual }) => (
          <Field key={name} label={name} hint={description} aside={required ? 'required' : 'optional'}>
            {(ids) => (
              <TextInput
                {...ids}
                placeholder={usual ?? ''}
                value={values[name] ?? ''}
                onChange={({ target }) => setValues({ ...values, [name]: target.value })}
              />
            )}
          </Field>
        ))}
        <Button type="submit" icon={<Play />} disabled={isPending} className="justify-self-start">
          {isPending ? 'Resolving' : 'Resolve'}
        </Button>
      </form>
      {error ? <ErrorNote error={error} /> : null}
      {data ? <Outcome resolved={data} /> : null}
    </section>
  );
}

const levels = { debug: 'text-faint', info: 'text-soft', warn: 'text-amber', error: 'text-danger' };

function Outcome({ resolved: { system, receipt, tools, trace } }: { resolved: ResolvedAgent }) {
  return (
    <div className="grid gap-2" aria-live="polite">
      <p className="text-sm text-soft tabular">
        {formatCount(receipt.totalTokens, 'token')} of prompt, {formatCount(tools.length, 'tool')}
        {trace ? `, ${formatDuration(trace.tookMs)}` : ''}
        {receipt.searches > 0 ? `, ${formatCount(receipt.searches, 'search', 'searches')}` : ''}
      </p>
      {receipt.warnings.map((warning) => (
        <WarningNote key={warning}>{warning}</WarningNote>
      ))}
      {trace && trace.logs.length > 0 ? (
        <ol aria-label="Script log" className="rounded-md bg-wash px-3 py-2 font-mono text-xs">
          {trace.logs.map(({ level, message, atMs }, index) => (
            <li key={index} className={levels[level]}>
              {formatDuration(atMs)} {level}: {message}
            </li>
          ))}
        </ol>
      ) : null}
      <pre
        data-testid="resolved-prompt"
        className="rounded-md border border-line bg-sheet px-3 py-2.5 font-mono text-xs leading-5 break-words whitespace-pre-wrap"
      >
        {system}
      </pre>
    </div>
  );
}
