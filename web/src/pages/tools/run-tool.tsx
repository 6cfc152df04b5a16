import { Play } from 'lucide-react';
import { useState } from 'react';
import type { ToolDescriptor } from '../../../../src/contract/tool.ts';
import { useWorkspaceId } from '../../data/workspace.ts';
import { invalidate, useHubMutation } from '../../data/queries.ts';
import { Button } from '../../kit/button.tsx';
import { Copyable } from '../../kit/copyable.tsx';
import { ErrorNote } from '../../kit/feedback.tsx';
import { isRecord } from '../../kit/is-record.ts';
import { missingIn } from '../../schema-form/read-schema.ts';
import { SchemaForm } from '../../schema-form/schema-form.tsx';
import { local } from '../../data/browser-storage.ts';

type Values = Record<string, unknown>;

/** Values of an object as JSON; empty for anything else. */
export function parseValues(text: string | null): Values {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** The last values of each tool stay in this browser, so that a run can be repeated and changed. */
export function useKeptValues(tool: string): [Values, (next: Values) => void] {
  const key = `agent-zoo-run ${useWorkspaceId() ?? ''} ${tool}`;
  const [values, setValues] = useState(() => parseValues(local.getItem(key)));
  return [
    values,
    (next) => {
      local.setItem(key, JSON.stringify(next));
      setValues(next);
    },
  ];
}

interface RunToolProps {
  tool: ToolDescriptor;
  values: Values;
  onChange: (values: Values) => void;
}

/** The form of a tool, and what it answered. */
export function RunTool({ tool, values, onChange }: RunToolProps) {
  const run = useHubMutation('testTool');
  const [isChecked, setChecked] = useState(false);
  const missing = missingIn(tool.inputSchema, values, tool.inputSchema);
  const start = (): void => {
    setChecked(true);
    if (missing.length > 0) return;
    run.mutate({ name: tool.name, body: values }, { onSettled: () => invalidate(['listActivity']) });
  };
  return (
    <form
      aria-label={`Run ${tool.displayName}`}
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        start();
      }}
    >
      <SchemaForm
        schema={tool.inputSchema}
        value={values}
        onChange={onChange}
        problems={new Map(isChecked ? missing.map((path) => [path, 'Required.']) : [])}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" look="primary" icon={<Play />} disabled={run.isPending}>
          {run.isPending ? 'Running' : run.data === undefined ? 'Run' : 'Run again'}
        </Button>
        {isChecked && missing.length > 0 ? (
          <span role="alert" className="text-sm text-danger">
            Still missing: {missing.join(', ')}
          </span>
        ) : null}
      </div>
      {run.error ? <ErrorNote error={run.error} /> : null}
      {run.data === undefined ? null : <Result data={run.data} />}
    </form>
  );
}

function Result({ data }: { data: { value: unknown; tookMs: number; logs: { message: string }[] } }) {
  return (
    <section aria-label="Result" className="grid gap-1.5">
      <h4 className="text-sm font-medium">
        Result <span className="font-normal text-faint tabular">after {Math.round(data.tookMs)} ms</span>
      </h4>
      <Copyable text={renderResult(data.value)} className="max-h-96 overflow-y-auto" />
      {data.logs.length === 0 ? null : (
        <Copyable
          text={data.logs.map(({ message }) => message).join('\n')}
          className="max-h-60 overflow-y-auto"
        />
      )}
    </section>
  );
}

/** The text of text blocks as it is; everything else as JSON. */
function renderResult(value: unknown): string {
  const blocks = Array.isArray(value) ? value : [];
  const texts = blocks.flatMap((block) =>
    isRecord(block) && block['type'] === 'text' && typeof block['text'] === 'string' ? [block['text']] : [],
  );
  return texts.length > 0 && texts.length === blocks.length
    ? texts.join('\n')
    : JSON.stringify(value, null, 2);
}
