import { useNavigate, useSearch } from '@tanstack/react-router';
import { FlaskConical, Play, Save } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { AgentPatch, PublishedTool } from '../../../../../src/contract/agent.ts';
import { fillTemplate } from '../../../../../src/contract/published/prompt-template.ts';
import { call } from '../../../data/hub.ts';
import { Button } from '../../../kit/button.tsx';
import { CopyButton } from '../../../kit/copyable.tsx';
import { ErrorNote } from '../../../kit/feedback.tsx';
import { Segments } from '../../../kit/segments.tsx';
import { type FormValues, sampleValues, valueProblems } from '../../../schema-form/form-values.ts';
import { SchemaForm } from '../../../schema-form/schema-form.tsx';
import { useAgentDraft } from '../draft/agent-draft.tsx';
import { readLastValues, writeLastValues } from './last-values.ts';
import { saveExamples } from './save-example.ts';

interface TestProps {
  tool: PublishedTool;
  onChange: (tool: PublishedTool) => void;
}

type Way = 'headless' | 'approvals';

/** The form that a caller would see, the prompt that it becomes, and a chat that runs it with the agent as drafted. */
export function TestTool({ tool, onChange }: TestProps) {
  const { agent, draft, changed, canEdit, offerUndo } = useAgentDraft();
  const navigate = useNavigate();
  const { test } = useSearch({ from: '/agent/$id/published' });
  useEffect(() => {
    if (test === true) goToTest();
  }, [test]);
  const [values, setValues] = useState<FormValues>(() => readLastValues(agent.id, tool.id));
  const [way, setWay] = useState<Way>('headless');
  const [isTried, setTried] = useState(false);
  const [isStarting, setStarting] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const problems = valueProblems(tool.parameters, values);
  const filled = fillTemplate(tool.prompt, values, tool, 'reference');
  const fill = (next: FormValues): void => {
    setValues(next);
    writeLastValues(agent.id, tool.id, next);
  };
  const start = async (): Promise<void> => {
    const definition: AgentPatch = Object.fromEntries(changed.map((field) => [field, draft[field]]));
    const { id } = await call('createChat', {
      body: {
        agent: agent.id,
        title: `test-${tool.name}-${timeOf(new Date())}`,
        headless: way === 'headless',
        ...(changed.length > 0 ? { definition } : {}),
        ...(tool.output === undefined ? {} : { outputSchema: { ...tool.output } }),
      },
    });
    await call('sendMessage', { id, body: { message: fillTemplate(tool.prompt, values, tool) } });
    await navigate({ to: '/chat/$id', params: { id } });
  };
  const run = (): void => {
    setTried(true);
    if (problems.size > 0) return;
    setStarting(true);
    setError(null);
    start().catch((failure: unknown) => {
      setStarting(false);
      setError(failure instanceof Error ? failure : new Error(String(failure)));
    });
  };
  const saveAsExample = (): void => {
    onChange({ ...tool, parameters: saveExamples(tool.parameters, values) });
    offerUndo('Saved the values as examples in the draft.');
  };
  return (
    <section id="test" aria-label={`Test ${tool.name}`} className="grid scroll-mt-6 gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-serif text-lg">Test</h2>
        <span className="flex flex-wrap gap-2">
          <Button
            small
            icon={<FlaskConical />}
            onClick={() => fill({ ...sampleValues(tool.parameters), ...values })}
          >
            Fill in examples
          </Button>
          {canEdit ? (
            <Button
              small
              icon={<Save />}
              disabled={Object.keys(values).length === 0 || problems.size > 0}
              onClick={saveAsExample}
            >
              Save as example
            </Button>
          ) : null}
        </span>
      </div>
      <div className="grid gap-5 @2xl:grid-cols-2">
        <div className="grid content-start gap-3">
          <p className="text-xs text-soft">What a caller fills in</p>
          {Object.keys(tool.parameters.properties ?? {}).length === 0 ? (
            <p className="text-sm text-soft">Nothing: the tool has no parameters.</p>
          ) : (
            <SchemaForm
              schema={{ ...tool.parameters }}
              value={values}
              problems={isTried ? problems : withoutMissing(problems)}
              onChange={fill}
            />
          )}
        </div>
        <div className="grid content-start gap-2">
          <div className="flex items-center justify-between">
            <p className="text-xs text-soft">What the agent is asked</p>
            <CopyButton text={filled} what="the filled prompt" />
          </div>
          <pre
            data-testid="filled-prompt"
            className="min-h-20 rounded-md border border-line bg-wash px-3 py-2.5 font-mono text-xs leading-5 break-words whitespace-pre-wrap"
          >
            {filled}
          </pre>
          <div className="flex flex-wrap items-center justify-between gap-3">
            <Segments
              label="How the test runs"
              value={way}
              onChange={setWay}
              options={[
                { value: 'headless', label: 'Headless, as for a caller' },
                { value: 'approvals', label: 'With approvals' },
              ]}
            />
            <Button
              look="primary"
              icon={<Play />}
              disabled={filled.trim() === '' || isStarting}
              onClick={run}
            >
              Run in a chat
            </Button>
          </div>
          <p className="text-xs text-soft">
            {way === 'headless'
              ? 'Nobody is asked: tools that need approval are left out, as when somebody calls the tool.'
              : 'Tools that need approval ask you in the chat.'}
            {changed.length > 0 ? ' The unsaved draft is used.' : ''}
          </p>
          {error ? <ErrorNote error={error} /> : null}
        </div>
      </div>
    </section>
  );
}

/** Brings the form into view and puts the cursor into it. */
export function goToTest(): void {
  const section = document.querySelector('#test');
  section?.scrollIntoView({ block: 'start' });
  section?.querySelector<HTMLElement>('input, select, textarea')?.focus({ preventScroll: true });
}

/** Missing fields are marked only after the first attempt. */
const withoutMissing = (problems: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([...problems].filter(([, problem]) => problem !== 'Required.'));

/** `20261116-053012`, where the user is. */
function timeOf(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}${two(date.getMonth() + 1)}${two(date.getDate())}`;
  return `${day}-${two(date.getHours())}${two(date.getMinutes())}${two(date.getSeconds())}`;
}
