import type { ReactNode } from 'react';
import type { ToolCallRecord } from '../../../../src/contract/activity.ts';
import { useKept } from '../../data/queries.ts';
import { Copyable } from '../../kit/copyable.tsx';
import { Badge } from '../../kit/feedback.tsx';
import { Sheet } from '../../kit/floating.tsx';
import { formatDuration, formatMoment } from '../../kit/numbers.ts';
import { outcomes } from './call-list.tsx';

/** One call in full. */
export function CallSheet({ record, onClose }: { record: ToolCallRecord | undefined; onClose: () => void }) {
  const shown = useKept(record);
  return (
    <Sheet open={record !== undefined} onClose={onClose} title={shown?.displayName ?? 'Call'}>
      {shown === undefined ? null : <CallFacts record={shown} />}
    </Sheet>
  );
}

function CallFacts({ record }: { record: ToolCallRecord }) {
  const { outcome, code, message, caller, agentId, client, surface, workspace, durationMs, at } = record;
  const { word, tone } = outcomes[outcome];
  return (
    <div className="grid gap-5">
      <dl className="grid grid-cols-[7rem_1fr] gap-y-2 text-sm">
        <Fact name="Result">
          <Badge tone={tone}>{word}</Badge>
        </Fact>
        {message === null ? null : (
          <Fact name="Error">
            <span className="whitespace-pre-line">{message}</span>
            {code === null ? null : <span className="block font-mono text-xs text-faint">{code}</span>}
          </Fact>
        )}
        <Fact name="When">{formatMoment(at)}</Fact>
        <Fact name="Duration">{formatDuration(durationMs)}</Fact>
        <Fact name="Agent">{agentId ?? 'none'}</Fact>
        <Fact name="Called by">
          {caller}, over {surface}
        </Fact>
        {client === null ? null : <Fact name="Client">{client}</Fact>}
        <Fact name="Workspace">{workspace}</Fact>
      </dl>
      <div className="grid gap-1.5">
        <h3 className="text-sm font-medium">Arguments</h3>
        <Copyable text={pretty(record.arguments)} />
        <p className="text-xs text-soft">Secrets are masked and long values are shortened.</p>
      </div>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0 break-words tabular">{children}</dd>
    </>
  );
}

function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
