import type { FoundSkill } from '../../../../../src/contract/operations/files.ts';
import { useHubQuery } from '../../../data/queries.ts';
import { formatCount } from '../../../kit/numbers.ts';
import { PlainSelect } from '../../../kit/selects/plain-select.tsx';

interface FoundSkillsProps {
  skills: readonly FoundSkill[];
  /** The id of the agent that gets them; empty to leave them out. */
  into: string;
  onInto: (agentId: string) => void;
}

/** Skills of `SKILL.md` files, and the agent that gets them. */
export function FoundSkills({ skills, into, onInto }: FoundSkillsProps) {
  const agents = useHubQuery('listAgents', {}).data?.agents ?? [];
  return (
    <section className="grid gap-1">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-sm font-medium">Skills</h3>
        <PlainSelect
          label="Agent that gets the skills"
          value={into}
          options={[
            { value: '', label: 'Choose an agent' },
            ...agents
              .filter(({ source }) => source === 'editor')
              .map(({ id, name }) => ({ value: id, label: `Add to ${name}` })),
          ]}
          onChange={onInto}
        />
      </div>
      <ul className="grid grid-cols-[minmax(0,1fr)]" aria-label="Skills found">
        {skills.map(({ file, name, description, allowedTools }) => (
          <li key={file} className="border-t border-line py-3">
            <p className="font-medium">{name}</p>
            <p className="truncate font-mono text-xs text-soft" title={file}>
              {file}
            </p>
            <p className="text-xs text-soft tabular">
              {[
                formatCount(description.length, 'character'),
                ...(allowedTools.length > 0 ? [`may use ${allowedTools.join(', ')}`] : []),
              ].join(', ')}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
