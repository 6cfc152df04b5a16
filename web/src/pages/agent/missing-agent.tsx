import { Link } from '@tanstack/react-router';
import { ArchiveRestore } from 'lucide-react';
import { ZooError } from '../../../../src/contract/errors.ts';
import { Creature } from '../../creature/creature.tsx';
import { useHubMutation } from '../../data/queries.ts';
import { Button, buttonClass } from '../../kit/button.tsx';
import { Empty, ErrorNote } from '../../kit/feedback.tsx';
import { HubText } from '../../kit/hub-text/hub-text.tsx';

/** In place of an agent that cannot be shown: it may be deleted, misspelt, or broken. */
export function MissingAgent({ id, error }: { id: string; error: Error }) {
  const undelete = useHubMutation('undeleteAgent');
  if (!(error instanceof ZooError) || error.code !== 'agent_not_found') return <ErrorNote error={error} />;
  const { deleted, nearest } = error.details ?? {};
  return (
    <Empty
      title={deleted === true ? 'This agent was deleted' : 'No such agent'}
      picture={<Creature seed={id} size={120} mood="asleep" />}
      action={
        <>
          {deleted === true ? (
            <Button
              look="primary"
              icon={<ArchiveRestore />}
              disabled={undelete.isPending}
              onClick={() => undelete.mutate({ id })}
            >
              Undelete
            </Button>
          ) : null}
          {typeof nearest === 'string' ? (
            <Link to="/agent/$id/persona" params={{ id: nearest }} className={buttonClass('primary')}>
              Open {nearest}
            </Link>
          ) : null}
          <Link to="/" className={buttonClass()}>
            Go to the zoo
          </Link>
        </>
      }
    >
      <HubText>{error.message}</HubText>
      {undelete.error ? <ErrorNote error={undelete.error} /> : null}
    </Empty>
  );
}
