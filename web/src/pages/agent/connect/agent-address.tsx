import { type SubmitEvent, useState } from 'react';
import { useHubMutation, useHubQuery } from '../../../data/queries.ts';
import { Button } from '../../../kit/button.tsx';
import { Copyable } from '../../../kit/copyable.tsx';
import { ErrorNote } from '../../../kit/feedback.tsx';
import { TextInput } from '../../../kit/field.tsx';
import { NewToken, refreshTokens, TokenList } from '../../../tokens/token-list.tsx';

/** For everything else that speaks MCP: the address of the agent, and tokens that reach it alone. */
export function AgentAddress({ agentId }: { agentId: string }) {
  const { data, error } = useHubQuery('listTokens', {});
  const create = useHubMutation('createToken');
  const [label, setLabel] = useState('');
  const address = `${location.origin}/mcp/${agentId}`;
  const tokens = data?.tokens.filter((token) => token.agentId === agentId) ?? [];
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    create.mutate({ body: { agentId, label } }, { onSuccess: refreshTokens });
  };
  const failure = error ?? create.error;
  return (
    <section aria-labelledby="address" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div>
        <h2 id="address" className="font-serif text-lg">
          Any other MCP client
        </h2>
        <p className="mt-1 text-sm text-soft">
          The agent’s own address over HTTP. A token created here gives access to this agent and the tools in
          its scope only.
        </p>
      </div>
      <Copyable text={address} />
      {failure ? <ErrorNote error={failure} /> : null}
      <TokenList tokens={tokens} showsAgent={false} />
      <form onSubmit={submit} className="flex flex-wrap gap-2">
        <TextInput
          aria-label="Where the token will be used"
          placeholder="Where it will be used"
          className="max-w-64"
          value={label}
          onChange={({ target }) => setLabel(target.value)}
        />
        <Button type="submit" disabled={create.isPending}>
          Create token
        </Button>
      </form>
      {create.data === undefined ? null : <NewToken token={create.data.token} />}
    </section>
  );
}
