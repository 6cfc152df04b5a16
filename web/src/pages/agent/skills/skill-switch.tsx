import { useState } from 'react';
import type { Skill } from '../../../../../src/contract/agent.ts';
import { call } from '../../../data/hub.ts';
import { Button } from '../../../kit/button.tsx';
import { Switch } from '../../../kit/choice.tsx';
import { Sheet } from '../../../kit/floating.tsx';
import { useAgentDraft } from '../draft/agent-draft.tsx';
import { broughtAlong, dependentsOf } from './required-skills.ts';
import { useSkillActions } from './use-skill-actions.ts';

/** Switches a skill at once. What it requires comes along; what needs it is asked about first. */
export function SkillSwitch({ skill }: { skill: Skill }) {
  const { agent, canEdit } = useAgentDraft();
  const { run } = useSkillActions();
  const [isAsking, setAsking] = useState(false);
  const dependents = dependentsOf(agent.skills, skill.id);
  const set = async (ids: readonly string[], enabled: boolean): Promise<void> => {
    for (const skillId of ids) await call('patchSkill', { id: agent.id, skillId, body: { enabled } });
  };
  const turnOn = (): void => {
    const along = broughtAlong(agent.skills, skill.id);
    const others = along.length === 0 ? '' : `, with ${namesOf(along)}`;
    const ids = [skill, ...along].map(({ id }) => id);
    void run(
      () => set([skill.id], true),
      `${skill.name} is on${others}.`,
      () => set(ids, false),
    );
  };
  const turnOff = (also: readonly Skill[]): void => {
    setAsking(false);
    const ids = [...also, skill].map(({ id }) => id);
    const said = also.length === 0 ? `${skill.name} is off.` : `${skill.name} and ${namesOf(also)} are off.`;
    void run(
      () => set(ids, false),
      said,
      () => set(ids, true),
    );
  };
  return (
    <>
      <Switch
        label={skill.name}
        checked={skill.enabled}
        disabled={!canEdit}
        onChange={(on) => {
          if (on) turnOn();
          else if (dependents.length > 0) setAsking(true);
          else turnOff([]);
        }}
      />
      {isAsking ? (
        <Sheet
          open
          place="middle"
          onClose={() => setAsking(false)}
          title={`Others need ${skill.name}`}
          footer={
            <>
              <Button onClick={() => turnOff([])}>Only {skill.name}</Button>
              <Button look="primary" onClick={() => turnOff(dependents)}>
                Switch all off
              </Button>
            </>
          }
        >
          <p className="text-base">
            {namesOf(dependents)} {dependents.length === 1 ? 'requires' : 'require'} it. Without it, the
            prompt is compiled with a warning.
          </p>
        </Sheet>
      ) : null}
    </>
  );
}

const names = new Intl.ListFormat(undefined, { type: 'conjunction' });
const namesOf = (skills: readonly Skill[]): string => names.format(skills.map(({ name }) => name));
