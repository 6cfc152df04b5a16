import { CopyPlus } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../data/hub.ts';
import { useHubQuery } from '../../../data/queries.ts';
import { Button } from '../../../kit/button.tsx';
import { Empty, ErrorNote, Skeleton } from '../../../kit/feedback.tsx';
import { Sheet } from '../../../kit/floating.tsx';
import { PlainSelect } from '../../../kit/selects/plain-select.tsx';
import { useAgentDraft } from '../draft/agent-draft.tsx';
import { useSkillActions } from './use-skill-actions.ts';

/** Skills of other agents, copied one at a time. */
export function CopySkills() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon={<CopyPlus />} onClick={() => setOpen(true)}>
        Copy from another agent
      </Button>
      <Sheet open={isOpen} onClose={() => setOpen(false)} title="Copy skills from another agent">
        <Chooser />
      </Sheet>
    </>
  );
}

function Chooser() {
  const { agent } = useAgentDraft();
  const all = useHubQuery('listAgents', { tokens: true });
  const others = (all.data?.agents ?? []).filter(({ id }) => id !== agent.id);
  const [chosen, setChosen] = useState<string | null>(null);
  const from = chosen ?? others[0]?.id;
  if (all.isPending) return <Skeleton />;
  if (from === undefined) return <Empty title="No other agents">Create another agent first.</Empty>;
  return (
    <div className="grid gap-4">
      <PlainSelect
        label="Agent"
        value={from}
        onChange={setChosen}
        options={others.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <SkillsOf id={from} />
    </div>
  );
}

function SkillsOf({ id }: { id: string }) {
  const { agent } = useAgentDraft();
  const { data } = useHubQuery('listSkills', { id });
  const { error, run } = useSkillActions();
  const copy = (name: string, description: string): void => {
    let made = '';
    void run(
      async () => {
        made = (await call('createSkill', { id: agent.id, body: { name, description } })).id;
      },
      `Copied ${name}.`,
      () => call('deleteSkill', { id: agent.id, skillId: made }),
    );
  };
  const taken = new Set(agent.skills.map(({ name }) => name));
  return (
    <>
      {error ? <ErrorNote error={error} /> : null}
      {data?.skills.length === 0 ? <p className="text-base text-soft">This agent has no skills.</p> : null}
      <ul className="grid gap-px">
        {data?.skills.map(({ id: skillId, name, description }) => (
          <li key={skillId} className="flex items-start gap-3 border-t border-line py-2.5">
            <span className="min-w-0 flex-1">
              <span className="block font-medium">{name}</span>
              <span className="line-clamp-2 text-sm text-soft">{description}</span>
            </span>
            <Button small disabled={taken.has(name)} onClick={() => copy(name, description)}>
              {taken.has(name) ? 'Copied' : 'Copy'}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
