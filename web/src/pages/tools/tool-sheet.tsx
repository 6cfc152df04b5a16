import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ToolCallRecord } from '../../../../src/contract/activity.ts';
import type { ToolDescriptor } from '../../../../src/contract/tool.ts';
import { useHubQuery, useKept } from '../../data/queries.ts';
import { Button } from '../../kit/button.tsx';
import { Copyable } from '../../kit/copyable.tsx';
import { Badge, Empty } from '../../kit/feedback.tsx';
import { Sheet } from '../../kit/floating.tsx';
import { formatAgo, formatCount, formatDuration } from '../../kit/numbers.ts';
import { outcomes } from '../activity/call-list.tsx';
import { originWords } from './group-tools.ts';
import { parseValues, RunTool, useKeptValues } from './run-tool.tsx';
import { ToolBadges } from './tool-badges.tsx';

interface ToolSheetProps {
  /** In the address: the wire name (`github__search`) or the one that is shown (`github.search`). */
  name: string | undefined;
  tools: readonly ToolDescriptor[] | undefined;
  onClose: () => void;
}

/** A tool in full: what a model reads about it, a form to run it, and its last calls. */
export function ToolSheet({ name, tools, onClose }: ToolSheetProps) {
  const found =
    tools?.find((tool) => tool.name === name) ?? tools?.find(({ displayName }) => displayName === name);
  const shown = useKept(found);
  return (
    <Sheet open={name !== undefined} onClose={onClose} title={shown?.displayName ?? name ?? 'Tool'} wide>
      {shown !== undefined && (name === undefined || [shown.name, shown.displayName].includes(name)) ? (
        <ToolFacts key={shown.name} tool={shown} />
      ) : tools === undefined ? null : (
        <Empty title="No such tool">It may have been renamed, or its server is away.</Empty>
      )}
    </Sheet>
  );
}

function ToolFacts({ tool }: { tool: ToolDescriptor }) {
  const [values, setValues] = useKeptValues(tool.name);
  // Fields keep what is typed into them: values from elsewhere need a new form.
  const [filled, setFilled] = useState(0);
  const fill = (record: ToolCallRecord): void => {
    setValues(parseValues(record.arguments));
    setFilled(filled + 1);
  };
  return (
    <div className="grid gap-x-8 gap-y-7 lg:grid-cols-2">
      <div className="grid min-w-0 content-start gap-5">
        <div className="grid gap-2">
          <p className="flex flex-wrap items-center gap-2 text-xs text-soft">
            <span className="font-mono">{tool.name}</span>
            <ToolBadges tool={tool} />
            <span>{placeOf(tool)}</span>
            {tool.tokens === undefined ? null : (
              <span className="tabular">{formatCount(tool.tokens, 'token')} in every prompt</span>
            )}
          </p>
          <p className="max-w-[75ch] text-base break-words whitespace-pre-line">{tool.description}</p>
        </div>
        <details>
          <summary className="cursor-pointer text-sm font-medium">Input schema</summary>
          <Copyable text={JSON.stringify(tool.inputSchema, null, 2)} className="mt-2" />
        </details>
        {tool.outputSchema === undefined ? null : (
          <details>
            <summary className="cursor-pointer text-sm font-medium">Output schema</summary>
            <Copyable text={JSON.stringify(tool.outputSchema, null, 2)} className="mt-2" />
          </details>
        )}
        <LastCalls tool={tool} onUse={fill} />
      </div>
      <div className="min-w-0">
        <h3 className="mb-3 font-serif text-lg">Run it</h3>
        <RunTool key={filled} tool={tool} values={values} onChange={setValues} />
      </div>
    </div>
  );
}

const placeOf = ({ origin, displayName }: ToolDescriptor): string =>
  origin === 'upstream' ? `from ${displayName.split('.')[0]}` : originWords[origin];

function LastCalls({ tool, onUse }: { tool: ToolDescriptor; onUse: (record: ToolCallRecord) => void }) {
  const { data } = useHubQuery('listActivity', { tool: tool.name, limit: 5 });
  if (data === undefined || data.calls.length === 0) return null;
  return (
    <section aria-label="Last calls" className="grid gap-1">
      <div className="flex items-baseline justify-between gap-3">
        <h3 className="text-sm font-medium">Last calls</h3>
        <Link to="/activity" search={{ tool: tool.name }} className="text-xs text-leaf hover:underline">
          All calls
        </Link>
      </div>
      <ul className="border-t border-line">
        {data.calls.map((record) => (
          <li
            key={record.seq}
            className="flex items-center gap-3 border-b border-line py-1.5 text-xs tabular"
          >
            <Badge tone={outcomes[record.outcome].tone}>{outcomes[record.outcome].word}</Badge>
            <span className="min-w-0 flex-1 truncate font-mono text-soft" title={record.arguments}>
              {record.arguments}
            </span>
            <span className="text-faint">
              {formatDuration(record.durationMs)}, {formatAgo(record.at)}
            </span>
            <Button small onClick={() => onUse(record)}>
              Use again
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
