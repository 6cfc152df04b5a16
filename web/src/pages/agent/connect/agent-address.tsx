import { type SubmitEvent, useState } from 'react';
import { invalidate, useHubMutation, useHubQuery } from '../../../data/queries.ts';
import { Button } from '../../../kit/button.tsx';
import { Copyable } from '../../../kit/copyable.tsx';
import { ErrorNote } from '../../../kit/feedback.tsx';
import { TextInput } from '../../../kit/field.tsx';
import { Confirm } from '../../../kit/floating.tsx';
import { formatAgo } from '../../../kit/numbers.ts';

const refresh = (): void => invalidate(['listTokens']);

/** For everything else that speaks MCP: the address of the agent, and tokens that reach it alone. */
export function AgentAddress({ agentId }: { agentId: string }) {
  const { data, error } = useHubQuery('listTokens', {});
  const create = useHubMutation('createToken');
  const remove = useHubMutation('deleteToken');
  const [label, setLabel] = useState('');
  const [leaving, setLeaving] = useState<string | null>(null);
  const address = `${location.origin}/mcp/${agentId}`;
  const tokens = data?.tokens.filter((token) => token.agentId === agentId) ?? [];
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    create.mutate({ body: { agentId, label } }, { onSuccess: refresh });
  };
  const failure = error ?? create.error ?? remove.error;
  return (
    <section aria-labelledby="address" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div>
        <h2 id="address" className="font-serif text-lg">
          Any other MCP client
        </h2>
        <p className="mt-1 text-sm text-soft">
          Its own address over HTTP. A token made here reaches this agent and the tools in its scope, and
          nothing else.
        </p>
      </div>
      <Copyable text={address} />
      {failure ? <ErrorNote error={failure} /> : null}
      {tokens.length === 0 ? null : (
        <ul aria-label="Tokens" className="border-t border-line">
          {tokens.map(({ id, label: name, createdAt, lastUsedAt }) => (
            <li key={id} className="flex items-center gap-4 border-b border-line py-2 text-sm">
              <span className="min-w-0 flex-1">
                <span className="block truncate">{name === '' ? 'Token' : name}</span>
                <span className="block text-xs text-faint">
                  made {formatAgo(createdAt)},{' '}
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
      <form onSubmit={submit} className="flex flex-wrap gap-2">
        <TextInput
          aria-label="Where the token will be used"
          placeholder="Where it will be used"
          className="max-w-64"
          value={label}
          onChange={({ target }) => setLabel(target.value)}
        />
        <Button type="submit" disabled={create.isPending}>
          Make token
        </Button>
      </form>
      {create.data === undefined ? null : (
        <div className="grid gap-1.5 text-sm">
          Copy it now: it is not shown again.
          <Copyable text={create.data.token} />
        </div>
      )}
      <Confirm
        open={leaving !== null}
        title="Revoke this token?"
        action="Revoke"
        onClose={() => setLeaving(null)}
        onConfirm={() => {
          if (leaving !== null) remove.mutate({ id: leaving }, { onSuccess: refresh });
        }}
      >
        Whoever uses it loses access at once, in the middle of a call too. It cannot be brought back.
      </Confirm>
    </section>
  );
}
