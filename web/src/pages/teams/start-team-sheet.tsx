import { useNavigate } from '@tanstack/react-router';
import { FileUp, Plus, X } from 'lucide-react';
import { useRef, useState } from 'react';
import type { NewMember } from '../../../../src/contract/team.ts';
import { useHubMutation, useHubQuery } from '../../data/queries.ts';
import { Button, IconButton } from '../../kit/button.tsx';
import { Checkbox } from '../../kit/choice.tsx';
import { ErrorNote, WarningNote } from '../../kit/feedback.tsx';
import { Field, TextArea, TextInput } from '../../kit/field.tsx';
import { Sheet } from '../../kit/floating.tsx';
import { PlainSelect } from '../../kit/selects/plain-select.tsx';

const blank = (count: number, harness: string): NewMember => ({
  name: count === 0 ? 'root' : `member-${count}`,
  harness,
});

/** A team of one member or several, filled in by hand or read from a team file. */
export function StartTeamSheet({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const start = useHubMutation('startTeam');
  const read = useHubMutation('readTeamFile');
  const harnesses = useHubQuery('listHarnesses', {}).data?.harnesses ?? [];
  const usable = harnesses.filter(({ missing }) => missing === null);
  const [name, setName] = useState('');
  const [given, setMembers] = useState<readonly NewMember[]>([]);
  const first = usable[0]?.name ?? harnesses[0]?.name ?? '';
  const members = given.length === 0 ? [blank(0, first)] : given;
  const file = useRef<HTMLInputElement>(null);
  const isComplete = members.every(
    (each, index) => each.name !== '' && each.harness !== '' && (index > 0 || (each.task ?? '') !== ''),
  );
  const run = (): void =>
    start.mutate(
      { body: { ...(name.trim() === '' ? {} : { name: name.trim() }), members: [...members] } },
      { onSuccess: ({ id }) => void navigate({ to: '/teams/$id', params: { id } }) },
    );
  const take = async (chosen: File): Promise<void> => {
    const text = await chosen.text();
    read.mutate(
      { body: { text } },
      {
        onSuccess: (team) => {
          setName(team.name ?? chosen.name.replace(/\.toml$/, ''));
          setMembers(team.members);
        },
      },
    );
  };
  return (
    <Sheet
      open
      onClose={onClose}
      title="Start a team"
      footer={
        <Button look="primary" disabled={!isComplete || start.isPending} onClick={run}>
          Start team
        </Button>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <div className="flex flex-wrap items-end gap-3">
          <div className="min-w-0 flex-1 basis-56">
            <Field label="Name" hint="For the list of teams.">
              {(ids) => <TextInput {...ids} value={name} onChange={({ target }) => setName(target.value)} />}
            </Field>
          </div>
          <Button icon={<FileUp />} className="mb-5" onClick={() => file.current?.click()}>
            From a team file
          </Button>
          <input
            ref={file}
            type="file"
            accept=".toml"
            aria-label="Team file"
            className="hidden"
            onChange={({ target }) => {
              const [chosen] = target.files ?? [];
              if (chosen) void take(chosen);
              target.value = '';
            }}
          />
        </div>
        {read.error ? <ErrorNote error={read.error} /> : null}
        {harnesses.length > 0 && usable.length === 0 ? (
          <WarningNote>
            No harness is ready to use. {harnesses.map(({ missing }) => missing).find(Boolean) ?? ''}
          </WarningNote>
        ) : null}
        <ul aria-label="Members" className="grid">
          {members.map((member, index) => (
            <MemberFields
              key={index}
              member={member}
              isRoot={index === 0}
              harnesses={harnesses.map((each) => each.name)}
              onChange={(next) => setMembers(members.map((each, at) => (at === index ? next : each)))}
              onRemove={() => setMembers(members.filter((_, at) => at !== index))}
            />
          ))}
        </ul>
        <div>
          <Button icon={<Plus />} onClick={() => setMembers([...members, blank(members.length, first)])}>
            Add member
          </Button>
        </div>
        {start.error ? <ErrorNote error={start.error} /> : null}
      </div>
    </Sheet>
  );
}

interface MemberFieldsProps {
  member: NewMember;
  isRoot: boolean;
  harnesses: readonly string[];
  onChange: (member: NewMember) => void;
  onRemove: () => void;
}

function MemberFields({ member, isRoot, harnesses, onChange, onRemove }: MemberFieldsProps) {
  const agents = useHubQuery('listAgents', {}).data?.agents ?? [];
  const { agent: _agent, ...withoutAgent } = member;
  return (
    <li className="grid gap-3 border-t border-line py-4">
      <div className="flex flex-wrap items-center gap-2">
        <TextInput
          aria-label={isRoot ? 'Name of the root' : 'Name of the member'}
          className="max-w-52"
          value={member.name}
          onChange={({ target }) => onChange({ ...member, name: target.value })}
        />
        <PlainSelect
          label={`Harness of ${member.name}`}
          value={member.harness}
          options={harnesses.map((value) => ({ value, label: value }))}
          onChange={(harness) => onChange({ ...member, harness })}
        />
        <PlainSelect
          label={`Agent of ${member.name}`}
          value={member.agent ?? ''}
          options={[
            { value: '', label: 'No agent' },
            ...agents.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={(agent) => onChange(agent === '' ? withoutAgent : { ...member, agent })}
        />
        {isRoot ? null : (
          <IconButton label={`Remove ${member.name}`} onClick={onRemove}>
            <X />
          </IconButton>
        )}
      </div>
      {isRoot ? null : (
        <Checkbox
          label="A git worktree with a branch of its own"
          checked={member.worktree ?? false}
          onChange={(worktree) => onChange({ ...member, worktree })}
        />
      )}
      <TextArea
        aria-label={`Task of ${member.name}`}
        rows={3}
        placeholder={isRoot ? 'What the team has to do' : 'Its first message, if it has one'}
        value={member.task ?? ''}
        onChange={({ target }) => onChange({ ...member, task: target.value })}
      />
    </li>
  );
}
