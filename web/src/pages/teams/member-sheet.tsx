import { OctagonX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { TeamMember, TeamTurn } from '../../../../src/contract/team.ts';
import { useHubMutation, useHubQuery, useKept } from '../../data/queries.ts';
import { Button } from '../../kit/button.tsx';
import { Badge, ErrorNote, Skeleton, type Tone } from '../../kit/feedback.tsx';
import { Sheet } from '../../kit/floating.tsx';
import { formatUsd } from '../../kit/money.ts';
import { formatCount, formatDuration, formatMoment, formatNumber } from '../../kit/numbers.ts';
import { FoldedText } from './folded-text.tsx';
import { MemberWork } from './member-work.tsx';
import { formatSpent, memberStates } from './team-words.ts';
import { HubText } from '../../kit/hub-text/hub-text.tsx';

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
  const { word, tone } = memberStates[member.state];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-7">
      <dl className="grid grid-cols-[7rem_1fr] gap-y-2 text-sm">
        <Fact name="State">
          <Badge tone={tone}>{word}</Badge>
          {member.reason === null ? null : (
            <span className={`ml-2 ${member.state === 'failed' ? 'text-danger' : 'text-soft'}`}>
              <HubText>{member.reason}</HubText>
            </span>
          )}
        </Fact>
        <Fact name="Harness">{member.harness}</Fact>
        <Fact name="Agent">{member.agentId ?? 'none'}</Fact>
        <Fact name="Folder">
          <span className="font-mono text-xs">{member.folder}</span>
        </Fact>
        <Fact name="Spent">{formatSpent(member.spent)}</Fact>
        <Fact name="Budget">{budgetOf(member)}</Fact>
      </dl>
      <MemberWork teamId={teamId} member={member} />
      <Transcript key={member.id} teamId={teamId} member={member} />
    </div>
  );
}

const PAGE = 20;
const MOST = 200;

/** Its turns, newest first: what went in, the tools that were used, and what came out. */
function Transcript({ teamId, member }: { teamId: string; member: TeamMember }) {
  const [limit, setLimit] = useState(PAGE);
  const { data, error } = useHubQuery('listMemberTurns', { id: teamId, member: member.id, limit });
  const turns = useKept(data)?.turns;
  return (
    <section aria-labelledby="transcript" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h3 id="transcript" className="font-serif text-lg">
        Turns
      </h3>
      {error ? <ErrorNote error={error} /> : null}
      {turns === undefined && !error ? <Skeleton /> : null}
      {turns?.length === 0 ? <p className="text-sm text-soft">No turns yet.</p> : null}
      {turns?.map((turn) => (
        <Turn key={turn.id} turn={turn} />
      ))}
      {turns !== undefined && turns.length >= limit && limit < MOST ? (
        <Button small className="justify-self-start" onClick={() => setLimit(limit + 3 * PAGE)}>
          Show earlier turns
        </Button>
      ) : null}
    </section>
  );
}

function budgetOf({ budget: { tokens, usd, turns } }: TeamMember): string {
  const parts = [
    turns === undefined ? null : formatCount(turns, 'turn'),
    tokens === undefined ? null : formatCount(tokens, 'token'),
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
          {took === null ? '' : `, ${formatDuration(took)}`}, {formatCount(spent.tokens, 'token')},{' '}
          {formatUsd(spent.usd)}
        </span>
      </h4>
      {prompt === null ? null : <FoldedText title="What it was given" text={prompt} />}
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

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0 break-words tabular">{children}</dd>
    </>
  );
}
