import { useState } from 'react';
import type { Output } from '../../../src/contract/api.ts';
import { invalidate, useHubMutation } from '../data/queries.ts';
import { Button } from '../kit/button.tsx';
import { Copyable } from '../kit/copyable.tsx';
import { ErrorNote } from '../kit/feedback.tsx';
import { Confirm } from '../kit/floating.tsx';
import { formatAgo } from '../kit/numbers.ts';

export const refreshTokens = (): void => invalidate(['listTokens']);

interface TokenListProps {
  tokens: Output<'listTokens'>['tokens'];
  /** Off where all of them are for one agent. */
  showsAgent: boolean;
}

/** When each token was made and last used, with a button to revoke it. */
export function TokenList({ tokens, showsAgent }: TokenListProps) {
  const remove = useHubMutation('deleteToken');
  const [leaving, setLeaving] = useState<string | null>(null);
  return (
    <>
      {remove.error ? <ErrorNote error={remove.error} /> : null}
      {tokens.length === 0 ? null : (
        <ul aria-label="Tokens" className="border-t border-line">
          {tokens.map(({ id, agentId, label, createdAt, lastUsedAt }) => (
            <li key={id} className="flex items-center gap-4 border-b border-line py-2 text-sm">
              <span className="min-w-0 flex-1">
                <span className="block truncate">{label || (showsAgent ? agentId : 'Token')}</span>
                <span className="block text-xs text-faint">
                  {showsAgent ? `${agentId}, ` : ''}made {formatAgo(createdAt)},{' '}
                  {lastUsedAt === null ? 'never used' : `used ${formatAgo(lastUsedAt)}`}
                </span>
              </span>
              <Button small look="danger" onClick={() => setLeaving(id)}>
                Revoke
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Confirm
        open={leaving !== null}
        title="Revoke this token?"
        action="Revoke"
        onClose={() => setLeaving(null)}
        onConfirm={() => {
          if (leaving !== null) remove.mutate({ id: leaving }, { onSuccess: refreshTokens });
        }}
      >
        Clients that use it lose access immediately, even during a call. This cannot be undone.
      </Confirm>
    </>
  );
}

/** A token that was just made. */
export function NewToken({ token }: { token: string }) {
  return (
    <div className="grid gap-1.5 text-sm">
      Copy it now: it is not shown again.
      <Copyable text={token} />
    </div>
  );
}
