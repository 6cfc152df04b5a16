import { FlaskConical, Play } from 'lucide-react';
import { useState } from 'react';
import type { AgentPatch, PublishedTool } from '../../../../../src/contract/agent.ts';
import { fillTemplate } from '../../../../../src/contract/published/prompt-template.ts';
import { Button } from '../../../kit/button.tsx';
import { CopyButton } from '../../../kit/copyable.tsx';
import { ErrorNote } from '../../../kit/feedback.tsx';
import { type FormValues, sampleValues, valueProblems } from '../../../kit/schema-form/form-values.ts';
import { SchemaForm } from '../../../kit/schema-form/schema-form.tsx';
import { useAgentDraft } from '../draft/agent-draft.tsx';
import { TrialView } from './trial-view.tsx';
import { useTrial } from './use-trial.ts';

/** The form that a caller would see, the prompt that it becomes, and a run of it with the agent as drafted. */
export function TryTool({ tool }: { tool: PublishedTool }) {
  const { agent, draft, changed } = useAgentDraft();
  const [values, setValues] = useState<FormValues>({});
  const [isTried, setTried] = useState(false);
  const trial = useTrial();
  const problems = valueProblems(tool.parameters, values);
  const filled = fillTemplate(tool.prompt, values, tool, 'reference');
  const run = (): void => {
    setTried(true);
    if (problems.size > 0) return;
    const definition: AgentPatch = Object.fromEntries(changed.map((field) => [field, draft[field]]));
    trial.start({ agent: agent.id, prompt: fillTemplate(tool.prompt, values, tool), definition });
  };
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-serif text-lg">Try it</h2>
        <span className="flex flex-wrap gap-2">
          <Button
            small
            icon={<FlaskConical />}
            onClick={() => setValues({ ...sampleValues(tool.parameters), ...values })}
          >
            Fill in examples
          </Button>
          <Button
            small
            look="primary"
            icon={<Play />}
            disabled={filled.trim() === '' || trial.isRunning}
            onClick={run}
          >
            {trial.isRunning ? 'Running' : 'Run with the agent'}
          </Button>
        </span>
      </div>
      <div className="grid gap-5 @2xl:grid-cols-2">
        <div className="grid content-start gap-3">
          <p className="text-xs text-soft">What a caller fills in</p>
          {Object.keys(tool.parameters.properties ?? {}).length === 0 ? (
            <p className="text-sm text-soft">Nothing: the tool has no parameters.</p>
          ) : (
            <SchemaForm
              schema={tool.parameters}
              values={values}
              problems={isTried ? problems : withoutMissing(problems)}
              onChange={setValues}
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
          {trial.error ? <ErrorNote error={trial.error} /> : null}
          <TrialView steps={trial.steps} outcome={trial.outcome} />
        </div>
      </div>
    </div>
  );
}

/** Missing fields are marked only after the first attempt. */
const withoutMissing = (problems: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([...problems].filter(([, problem]) => problem !== 'Required.'));
