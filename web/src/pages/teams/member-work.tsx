import { GitMerge, Trash2 } from 'lucide-react';
import type { TeamMember } from '../../../../src/contract/team.ts';
import { useHubMutation, useHubQuery } from '../../data/queries.ts';
import { Button } from '../../kit/button.tsx';
import { ConfirmButton } from '../../kit/confirm-button.tsx';
import { Badge, ErrorNote, Skeleton } from '../../kit/feedback.tsx';
import { formatNumber } from '../../kit/numbers.ts';
import { notify } from '../../kit/toasts.tsx';
import { FoldedText } from './folded-text.tsx';
import { HubText } from '../../kit/hub-text/hub-text.tsx';

interface MemberWorkProps {
  teamId: string;
  member: TeamMember;
}

/** What a member has changed in its folder, and what becomes of its branch. */
export function MemberWork({ teamId, member }: MemberWorkProps) {
  const { data, error } = useHubQuery('getMemberDiff', { id: teamId, member: member.id });
  return (
    <section aria-labelledby="work" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h3 id="work" className="font-serif text-lg">
        Changes in its folder
      </h3>
      {error ? (
        <p className="text-sm text-soft">
          <HubText>{error.message}</HubText>
        </p>
      ) : null}
      {data === undefined && !error ? <Skeleton /> : null}
      {data?.files.length === 0 ? <p className="text-sm text-soft">No changes yet.</p> : null}
      <ul className="text-sm tabular">
        {data?.files.map(({ path, added, removed }) => (
          <li key={path} className="flex gap-3">
            <span className="min-w-0 flex-1 truncate font-mono text-xs leading-5" title={path}>
              {path}
            </span>
            {added === null ? (
              <span className="text-soft">binary</span>
            ) : (
              <>
                <span className="text-leaf">+{formatNumber(added)}</span>
                <span className="text-danger">−{formatNumber(removed ?? 0)}</span>
              </>
            )}
          </li>
        ))}
      </ul>
      {data === undefined || data.diff === '' ? null : (
        <FoldedText title={data.isShortened ? 'The diff, shortened' : 'The diff'} text={data.diff} />
      )}
      {member.worktree === null ? null : (
        <Branch teamId={teamId} member={member} worktree={member.worktree} />
      )}
    </section>
  );
}

const words = { open: 'not merged', merged: 'merged', discarded: 'discarded' };

interface BranchProps extends MemberWorkProps {
  worktree: NonNullable<TeamMember['worktree']>;
}

/** The branch of its worktree: merged into the one that the team started from, or thrown away. */
function Branch({ teamId, member, worktree: { branch, state } }: BranchProps) {
  const merge = useHubMutation('mergeMember');
  const discard = useHubMutation('discardMember');
  const target = { id: teamId, member: member.id };
  const isBusy = merge.isPending || discard.isPending;
  const hasEnded = member.state === 'done' || member.state === 'failed' || member.state === 'stopped';
  const failure = merge.error ?? discard.error;
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line pt-3 text-sm">
      <span>
        Branch <span className="font-mono text-xs">{branch}</span>
      </span>
      <Badge tone={state === 'merged' ? 'leaf' : 'neutral'}>{words[state]}</Badge>
      {state === 'open' && !hasEnded ? (
        <span className="text-xs text-soft">It can be merged or discarded once the member has ended.</span>
      ) : null}
      {state === 'open' && hasEnded ? (
        <span className="ml-auto flex gap-2">
          <ConfirmButton
            small
            label="Discard"
            icon={<Trash2 />}
            disabled={isBusy}
            title={`Discard the work of ${member.name}?`}
            action="Discard"
            onConfirm={() => discard.mutate(target)}
          >
            Its worktree and its branch are removed, with everything in them. This cannot be undone.
          </ConfirmButton>
          <Button
            small
            look="primary"
            icon={<GitMerge />}
            disabled={isBusy}
            onClick={() =>
              merge.mutate(target, { onSuccess: () => notify(`Merged the work of ${member.name}.`) })
            }
          >
            Merge
          </Button>
        </span>
      ) : null}
      {failure ? (
        <div className="basis-full">
          <ErrorNote error={failure} />
        </div>
      ) : null}
    </div>
  );
}
