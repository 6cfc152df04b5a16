import type { Diagnostic } from '../../../../../src/contract/diagnostic.ts';
import { Creature } from '../../../creature/creature.tsx';
import { Badge, ErrorNote } from '../../../kit/feedback.tsx';
import { formatCount } from '../../../kit/numbers.ts';
import { PlainSelect } from '../../../kit/selects/plain-select.tsx';
import { Notes } from './import-notes.tsx';
import { type Act, actWords, type PlannedAgent, takenWords } from './plan-import.ts';

interface FoundAgentProps {
  planned: PlannedAgent;
  act: Act;
  notes: readonly Diagnostic[];
  error: Error | null;
  onChoose: (act: Act) => void;
}

/** An agent in a file: what it would become, and what to do with it. */
export function FoundAgent({ planned, act, notes, error, onChoose }: FoundAgentProps) {
  const { found, taken, acts } = planned;
  const { input } = found;
  return (
    <li className={`grid gap-2 border-t border-line py-3 ${act === 'skip' ? 'opacity-70' : ''}`}>
      <div className="flex flex-wrap items-start gap-3">
        <Creature seed={input.appearanceSeed ?? input.name} size={44} />
        <div className="min-w-0 flex-1 basis-56">
          <p className="flex flex-wrap items-center gap-x-2 font-medium">
            {input.name}
            {input.mode === undefined || input.mode === 'interactive' ? null : <Badge>{input.mode}</Badge>}
          </p>
          <p className="truncate font-mono text-xs text-soft" title={found.file}>
            {found.file}
          </p>
          <p className="text-xs text-soft tabular">{contentsOf(found)}</p>
        </div>
        <PlainSelect
          label={`What to do with ${input.name}`}
          value={act}
          options={acts.map((value) => ({ value, label: actWords[value] }))}
          onChange={onChoose}
        />
      </div>
      {taken === null ? null : <p className="text-xs text-amber sm:pl-14">{takenWords[taken]}</p>}
      <div className="empty:hidden sm:pl-14">
        <Notes notes={notes} />
      </div>
      {error ? <ErrorNote error={error} /> : null}
    </li>
  );
}

/** "1,204 characters of persona, 3 skills, 2 published tools". */
function contentsOf({ input }: PlannedAgent['found']): string {
  const { systemPrompt = '', skills = [], publishedTools = [], tools } = input;
  return [
    systemPrompt === '' ? 'no persona' : `${formatCount(systemPrompt.length, 'character')} of persona`,
    ...(skills.length > 0 ? [formatCount(skills.length, 'skill')] : []),
    ...(tools ? [formatCount(tools.length, 'tool')] : []),
    ...(publishedTools.length > 0 ? [formatCount(publishedTools.length, 'published tool')] : []),
  ].join(', ');
}
