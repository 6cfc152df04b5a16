import { type SubmitEvent, useState } from 'react';
import { invalidate, useHubMutation, useHubQuery } from '../../data/queries.ts';
import { Button } from '../../kit/button.tsx';
import { Copyable } from '../../kit/copyable.tsx';
import { ErrorNote } from '../../kit/feedback.tsx';
import { Field, TextInput } from '../../kit/field.tsx';
import { Confirm } from '../../kit/floating.tsx';
import { formatAgo } from '../../kit/numbers.ts';
import { PlainSelect } from '../../kit/plain-select.tsx';
import { Section } from './section.tsx';

const refresh = (): void => invalidate(['listTokens']);

/** Tokens that are bound to one agent each. */
export function TokensSection() {
  const { data, error } = useHubQuery('listTokens', {});
  const remove = useHubMutation('deleteToken');
  const [leaving, setLeaving] = useState<string | null>(null);
  return (
    <Section
      id="tokens"
      title="Tokens"
      about="A token reaches one agent and the tools in its scope, and nothing else. Give each client its own, so that you can take it back."
    >
      {error ? <ErrorNote error={error} /> : null}
      {remove.error ? <ErrorNote error={remove.error} /> : null}
      {data === undefined || data.tokens.length === 0 ? null : (
        <ul className="border-t border-line">
          {data.tokens.map(({ id, agentId, label, createdAt, lastUsedAt }) => (
            <li key={id} className="flex items-center gap-4 border-b border-line py-2 text-sm">
              <span className="min-w-0 flex-1">
                <span className="block truncate">{label === '' ? agentId : label}</span>
                <span className="block text-xs text-faint">
                  {agentId}, made {formatAgo(createdAt)},{' '}
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
      <NewToken />
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
    </Section>
  );
}

function NewToken() {
  const agents = useHubQuery('listAgents', {}).data?.agents ?? [];
  const create = useHubMutation('createToken');
  const [chosen, setChosen] = useState<string | null>(null);
  const [label, setLabel] = useState('');
  const agentId = chosen ?? agents[0]?.id;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (agentId === undefined) return;
    create.mutate({ body: { agentId, label } }, { onSuccess: refresh });
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
        <div className="mb-5.5 flex gap-2">
          <PlainSelect
            label="Agent"
            value={agentId}
            options={agents.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={setChosen}
          />
          <Button type="submit" disabled={create.isPending}>
            Make token
          </Button>
        </div>
      </form>
      {create.error ? <ErrorNote error={create.error} /> : null}
      {create.data === undefined ? null : (
        <div className="grid gap-1.5 text-sm">
          Copy it now: it is not shown again.
          <Copyable text={create.data.token} />
        </div>
      )}
    </>
  );
}
