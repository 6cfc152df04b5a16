import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { OctagonX, Pause, Play } from 'lucide-react';
import { Suspense, useMemo, useState } from 'react';
import type { TeamDetails } from '../../../../src/contract/team.ts';
import { useHubMutation, useHubQuery } from '../../data/queries.ts';
import { Button } from '../../kit/button.tsx';
import { Badge, ErrorNote, Skeleton } from '../../kit/feedback.tsx';
import { ConfirmButton } from '../../kit/confirm-button.tsx';
import { formatMoment } from '../../kit/numbers.ts';
import { Page } from '../../kit/page.tsx';
import { lazyPart } from '../../kit/load-script.ts';
import { QuestionCard } from '../../questions/question-card.tsx';
import { MemberGroups } from './member-groups.tsx';
import { MessageTimeline } from './message-timeline.tsx';
import { Replay } from './replay.tsx';
import { SendForm } from './send-form.tsx';
import { TeamTree } from './team-tree.tsx';
import { formatSpent, isAlive, teamStates } from './team-words.ts';
import { useMoment, useTimeline } from './use-replay.ts';
import { useTeamMessages } from './use-team-messages.ts';

const MemberSheet = lazyPart(async () => ({ default: (await import('./member-sheet.tsx')).MemberSheet }));

/** A team as it works: its members, their messages, and what they ask. */
export function TeamPage() {
  const { id } = useParams({ from: '/teams/$id' });
  const { data: team, error } = useHubQuery('getTeam', { id });
  return (
    <Page
      title={team?.name ?? 'Team'}
      about={
        team === undefined ? undefined : (
          <span className="flex flex-wrap items-center gap-x-3 text-sm text-soft tabular">
            <Badge tone={teamStates[team.state].tone}>{teamStates[team.state].word}</Badge>
            <span>{formatSpent(team.spent)}</span>
            <span>started {formatMoment(team.createdAt)}</span>
          </span>
        )
      }
      actions={team === undefined ? undefined : <Acts team={team} />}
    >
      {error ? <ErrorNote error={error} /> : null}
      {team === undefined && !error ? <Skeleton lines={8} /> : null}
      {team === undefined ? null : <Team team={team} />}
    </Page>
  );
}

function Team({ team }: { team: TeamDetails }) {
  const { member: shown } = useSearch({ from: '/teams/$id' });
  const navigate = useNavigate({ from: '/teams/$id' });
  const messages = useTeamMessages(team.id);
  const agents = useHubQuery('listAgents', {}).data?.agents;
  const seeds = useMemo(() => new Map(agents?.map((each) => [each.id, each.appearanceSeed])), [agents]);
  const ids = new Set(team.members.map(({ id }) => id));
  const questions =
    useHubQuery('listQuestions', {}).data?.questions.filter(({ asker }) => ids.has(asker.id)) ?? [];
  const asking = new Set(questions.map(({ asker }) => asker.id));
  const timeline = useTimeline(team.id, !isAlive(team)) ?? [];
  const [position, setPosition] = useState<number | null>(null);
  const moment = useMoment(team, timeline, position ?? timeline.length);
  const now = { members: team.members, messages: messages.data ?? [], lit: [] };
  const { members, messages: visible, lit } = position === null ? now : moment;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-8 xl:grid-cols-[minmax(0,24rem)_minmax(0,1fr)]">
      <section aria-labelledby="members">
        <h2 id="members" className="mb-2 font-serif text-xl">
          Members
        </h2>
        <MemberGroups teamId={team.id} members={members} asking={asking} />
        <TeamTree teamId={team.id} members={members} seeds={seeds} asking={asking} lit={lit} />
      </section>
      <section aria-labelledby="messages" className="min-w-0">
        {questions.length === 0 ? null : (
          <ul aria-label="Waits for you" className="mb-6 border-t border-line">
            {questions.map((question) => (
              <QuestionCard key={question.id} question={question} />
            ))}
          </ul>
        )}
        <h2 id="messages" className="mb-2 font-serif text-xl">
          Messages
        </h2>
        {messages.error ? <ErrorNote error={messages.error} /> : null}
        {timeline.length === 0 ? null : (
          <Replay
            times={timeline.map(({ at }) => at)}
            position={position ?? timeline.length}
            onMove={setPosition}
          />
        )}
        <MessageTimeline teamId={team.id} messages={visible} canRedeliver={isAlive(team)} />
        {isAlive(team) ? <SendForm teamId={team.id} members={team.members} /> : null}
      </section>
      <Suspense fallback={null}>
        <MemberSheet
          teamId={team.id}
          member={team.members.find(({ name }) => name === shown)}
          canStop={isAlive(team)}
          onClose={() => void navigate({ search: {} })}
        />
      </Suspense>
    </div>
  );
}

function Acts({ team }: { team: TeamDetails }) {
  const { id, state } = team;
  const pause = useHubMutation('pauseTeam');
  const resume = useHubMutation('resumeTeam');
  const stop = useHubMutation('stopTeam');
  const failure = pause.error ?? resume.error ?? stop.error;
  if (!isAlive(team)) return null;
  return (
    <>
      {state === 'running' ? (
        <Button icon={<Pause />} disabled={pause.isPending} onClick={() => pause.mutate({ id })}>
          Pause
        </Button>
      ) : (
        <Button
          look="primary"
          icon={<Play />}
          disabled={resume.isPending}
          onClick={() => resume.mutate({ id })}
        >
          Resume
        </Button>
      )}
      <ConfirmButton
        label="Stop team"
        icon={<OctagonX />}
        title="Stop this team?"
        action="Stop"
        onConfirm={() => stop.mutate({ id, body: {} })}
      >
        All members stop, even during a turn. Their files stay. The team cannot be restarted.
      </ConfirmButton>
      {failure ? (
        <div className="basis-full">
          <ErrorNote error={failure} />
        </div>
      ) : null}
    </>
  );
}
