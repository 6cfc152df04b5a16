import { type SubmitEvent, useState } from 'react';
import { useHubMutation, useHubQuery } from '../../data/queries.ts';
import { Button } from '../../kit/button.tsx';
import { ErrorNote } from '../../kit/feedback.tsx';
import { Field, TextInput } from '../../kit/field.tsx';
import { PlainSelect } from '../../kit/selects/plain-select.tsx';
import { NewToken, refreshTokens, TokenList } from '../../tokens/token-list.tsx';
import { Section } from './section.tsx';

/** Tokens that are bound to one agent each. */
export function TokensSection() {
  const { data, error } = useHubQuery('listTokens', {});
  return (
    <Section
      id="tokens"
      title="Tokens"
      about="A token gives access to one agent and the tools in its scope only. Give each client its own, so that you can revoke them separately."
    >
      {error ? <ErrorNote error={error} /> : null}
      <TokenList tokens={data?.tokens ?? []} showsAgent />
      <TokenForm />
    </Section>
  );
}

function TokenForm() {
  const agents = useHubQuery('listAgents', {}).data?.agents ?? [];
  const create = useHubMutation('createToken');
  const [chosen, setChosen] = useState<string | null>(null);
  const [label, setLabel] = useState('');
  const agentId = chosen ?? agents[0]?.id;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (agentId === undefined) return;
    create.mutate({ body: { agentId, label } }, { onSuccess: refreshTokens });
  };
  if (agentId === undefined) return null;
  return (
    <>
      <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
        <div className="w-64">
          <Field label="New token" hint="Where it will be used.">
            {(ids) => (
              <TextInput
                {...ids}
                placeholder="Laptop, Cursor"
                value={label}
                onChange={({ target }) => setLabel(target.value)}
              />
            )}
          </Field>
        </div>
        <div className="mb-6 flex gap-2">
          <PlainSelect
            label="Agent"
            value={agentId}
            options={agents.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={setChosen}
          />
          <Button type="submit" disabled={create.isPending}>
            Create token
          </Button>
        </div>
      </form>
      {create.error ? <ErrorNote error={create.error} /> : null}
      {create.data === undefined ? null : <NewToken token={create.data.token} />}
    </>
  );
}
