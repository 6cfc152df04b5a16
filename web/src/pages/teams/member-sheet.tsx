import { OctagonX } from 'lucide-react';
import type { ReactNode } from 'react';
import type { TeamMember, TeamTurn } from '../../../../src/contract/team.ts';
import { useHubMutation, useHubQuery, useKept } from '../../data/queries.ts';
import { Button } from '../../kit/button.tsx';
import { Badge, ErrorNote, Skeleton, type Tone } from '../../kit/feedback.tsx';
import { Sheet } from '../../kit/floating.tsx';
import { formatDuration, formatMoment, formatNumber } from '../../kit/numbers.ts';
import { formatUsd } from '../runs/run-words.ts';
import { formatSpent, memberStates } from './team-words.ts';

interface MemberSheetProps {
  teamId: string;
  member: TeamMember | undefined;
  canStop: boolean;
  onClose: () => void;
}

/** A member in full: what it may spend, and its turns with what went in and came out. */
export function MemberSheet({ teamId, member, canStop, onClose }: MemberSheetProps) {
  const shown = useKept(member);
  const stop = useHubMutation('stopTeam');
  return (
    <Sheet
      open={member !== undefined}
      onClose={onClose}
      title={shown?.name ?? 'Member'}
      wide
      footer={
        canStop && shown !== undefined ? (
          <Button
            look="danger"
            icon={<OctagonX />}
            disabled={stop.isPending}
            onClick={() => stop.mutate({ id: teamId, body: { member: shown.id } })}
          >
            Stop it and everything below
          </Button>
        ) : undefined
      }
    >
      {stop.error ? <ErrorNote error={stop.error} /> : null}
      {shown === undefined ? null : <MemberFacts teamId={teamId} member={shown} />}
    </Sheet>
  );
}

function MemberFacts({ teamId, member }: { teamId: string; member: TeamMember }) {
  const { data, error } = useHubQuery('inspectMember', { id: teamId, member: member.id });
  const { word, tone } = memberStates[member.state];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-7">
      <dl className="grid grid-cols-[7rem_1fr] gap-y-2 text-sm">
        <Fact name="State">
          <Badge tone={tone}>{word}</Badge>
          {member.reason === null ? null : <span className="ml-2 text-danger">{member.reason}</span>}
        </Fact>
        <Fact name="Harness">{member.harness}</Fact>
        <Fact name="Agent">{member.agentId ?? 'none'}</Fact>
        <Fact name="Folder">
          <span className="font-mono text-xs">{member.folder}</span>
        </Fact>
        <Fact name="Spent">{formatSpent(member.spent)}</Fact>
        <Fact name="Budget">{budgetOf(member)}</Fact>
      </dl>
      <Diff teamId={teamId} memberId={member.id} />
      <section className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <h3 className="font-serif text-lg">Turns</h3>
        {error ? <ErrorNote error={error} /> : null}
        {data === undefined && !error ? <Skeleton /> : null}
        {data?.turns.length === 0 ? <p className="text-sm text-soft">No turns yet.</p> : null}
        {data?.turns.map((turn) => (
          <Turn key={turn.id} turn={turn} />
        ))}
      </section>
    </div>
  );
}

/** What it has changed in its folder; says why where there is nothing to compare with. */
function Diff({ teamId, memberId }: { teamId: string; memberId: string }) {
  const { data, error } = useHubQuery('getMemberDiff', { id: teamId, member: memberId });
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h3 className="font-serif text-lg">Changes in its folder</h3>
      {error ? <p className="text-sm text-soft">{error.message}</p> : null}
      {data === undefined && !error ? <Skeleton /> : null}
      {data?.files.length === 0 ? <p className="text-sm text-soft">No changes yet.</p> : null}
      <ul className="text-sm tabular">
        {data?.files.map(({ path, added, removed }) => (
          <li key={path} className="flex gap-3">
            <span className="min-w-0 flex-1 truncate font-mono text-xs leading-5">{path}</span>
            <span className="text-leaf">+{formatNumber(added ?? 0)}</span>
            <span className="text-danger">−{formatNumber(removed ?? 0)}</span>
          </li>
        ))}
      </ul>
      {data === undefined || data.diff === '' ? null : (
        <Text title={data.isShortened ? 'The diff, shortened' : 'The diff'} text={data.diff} />
      )}
    </section>
  );
}

function budgetOf({ budget: { tokens, usd, turns } }: TeamMember): string {
  const parts = [
    turns === undefined ? null : `${formatNumber(turns)} turns`,
    tokens === undefined ? null : `${formatNumber(tokens)} tokens`,
    usd === undefined ? null : formatUsd(usd),
  ].filter((each) => each !== null);
  return parts.length === 0 ? 'as the team' : parts.join(', ');
}

const turnStates: Record<TeamTurn['state'], { word: string; tone: Tone }> = {
  queued: { word: 'Queued', tone: 'neutral' },
  running: { word: 'At work', tone: 'leaf' },
  ok: { word: 'Done', tone: 'neutral' },
  failed: { word: 'Failed', tone: 'danger' },
  cancelled: { word: 'Cancelled', tone: 'neutral' },
};

function Turn({ turn }: { turn: TeamTurn }) {
  const { number, state, prompt, answer, error, tools, spent, startedAt, endedAt } = turn;
  const { word, tone } = turnStates[state];
  const took = endedAt === null ? null : Date.parse(endedAt) - Date.parse(startedAt);
  return (
    <article className="grid grid-cols-[minmax(0,1fr)] gap-2 border-t border-line pt-3">
      <h4 className="flex flex-wrap items-center gap-x-3 text-sm">
        <span className="font-medium">Turn {formatNumber(number)}</span>
        <Badge tone={tone}>{word}</Badge>
        <span className="text-xs text-faint tabular">
          {formatMoment(startedAt)}
          {took === null ? '' : `, ${formatDuration(took)}`}, {formatSpent(spent)}
        </span>
      </h4>
      {prompt === null ? null : <Text title="What it was given" text={prompt} />}
      {tools.length === 0 ? null : (
        <p className="text-xs text-soft">
          Used <span className="font-mono">{tools.join(', ')}</span>
        </p>
      )}
      {answer === null ? null : (
        <p className="max-w-[75ch] text-sm break-words whitespace-pre-wrap">{answer}</p>
      )}
      {error === null ? null : <ErrorNote error={new Error(error)} />}
    </article>
  );
}

function Text({ title, text }: { title: string; text: string }) {
  return (
    <details>
      <summary className="cursor-pointer text-xs text-soft">{title}</summary>
      <pre className="mt-1 max-h-80 overflow-auto rounded-md border border-line bg-wash px-3 py-2 font-mono text-xs break-words whitespace-pre-wrap">
        {text}
      </pre>
    </details>
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
