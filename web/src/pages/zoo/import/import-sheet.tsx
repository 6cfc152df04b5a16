import { FileUp, FolderUp } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Diagnostic } from '../../../../../src/contract/diagnostic.ts';
import { Creature } from '../../../creature/creature.tsx';
import { useHubMutation } from '../../../data/queries.ts';
import { Button } from '../../../kit/button.tsx';
import { Badge, ErrorNote, Skeleton } from '../../../kit/feedback.tsx';
import { Sheet } from '../../../kit/floating.tsx';
import { formatCount } from '../../../kit/numbers.ts';
import { PlainSelect } from '../../../kit/plain-select.tsx';
import { notify } from '../../../kit/toasts.tsx';
import { type Act, actWords, importAgent, type PlannedAgent, planImport, takenWords } from './plan-import.ts';
import { readChosen, type ReadFiles } from './read-dropped.ts';

interface ImportProps {
  /** Files that were dropped on the page. */
  dropped: ReadFiles | null;
  onClose: () => void;
}

/** What the agents in some files would become, before anything is saved. */
export function ImportSheet({ dropped, onClose }: ImportProps) {
  const read = useHubMutation('readAgentFiles');
  const { mutate } = read;
  const [acts, setActs] = useState<Readonly<Record<string, Act>>>({});
  const [failed, setFailed] = useState<Readonly<Record<string, Error>>>({});
  const [isImporting, setImporting] = useState(false);
  const [chosenFiles, setChosenFiles] = useState<ReadFiles | null>(null);
  const { leftOut = [] } = chosenFiles ?? dropped ?? {};
  const look = (files: ReadFiles): void => {
    setActs({});
    setFailed({});
    setChosenFiles(files);
    mutate({ body: { files: [...files.files] } });
  };
  useEffect(() => {
    if (dropped) mutate({ body: { files: [...dropped.files] } });
  }, [dropped, mutate]);
  const plan = read.data ? planImport(read.data) : null;
  const actOf = ({ key, acts: possible }: PlannedAgent): Act => acts[key] ?? possible[0] ?? 'skip';
  const chosen = plan?.filter((each) => actOf(each) !== 'skip') ?? [];

  const run = async (): Promise<void> => {
    setImporting(true);
    const undo: (() => Promise<unknown>)[] = [];
    const failures: Record<string, Error> = {};
    for (const each of chosen) {
      try {
        undo.push(await importAgent(each, actOf(each)));
      } catch (error) {
        failures[each.key] = error instanceof Error ? error : new Error(String(error));
      }
    }
    setImporting(false);
    setFailed(failures);
    if (undo.length > 0) {
      const takeBack = async (): Promise<void> => {
        for (const each of undo.toReversed()) await each();
      };
      notify(`Imported ${formatCount(undo.length, 'agent')}.`, () => void takeBack());
    }
    if (Object.keys(failures).length === 0) onClose();
  };
  return (
    <Sheet
      open
      onClose={onClose}
      title="Import agents"
      footer={
        plan && plan.length > 0 ? (
          <Button look="primary" disabled={chosen.length === 0 || isImporting} onClick={() => void run()}>
            Import {formatCount(chosen.length, 'agent')}
          </Button>
        ) : undefined
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <Choosers onFiles={look} />
        {read.error ? <ErrorNote error={read.error} /> : null}
        {read.isPending ? <Skeleton /> : null}
        {plan?.length === 0 ? (
          <p className="text-base text-soft">No agent was found in these files.</p>
        ) : null}
        <ul className="grid grid-cols-[minmax(0,1fr)]" aria-label="Agents found">
          {plan?.map((each) => (
            <Row
              key={each.key}
              planned={each}
              act={actOf(each)}
              notes={read.data?.diagnostics.filter((one) => isAbout(one, each)) ?? []}
              error={failed[each.key] ?? null}
              onChoose={(act) => setActs({ ...acts, [each.key]: act })}
            />
          ))}
        </ul>
        <Rest plan={plan ?? []} diagnostics={read.data?.diagnostics ?? []} leftOut={leftOut} />
      </div>
    </Sheet>
  );
}

/** A folder of ten thousand files would fill the page. */
const SHOWN_LEFT_OUT = 20;

const isAbout = ({ file, agentId }: Diagnostic, { found }: PlannedAgent): boolean =>
  file === found.file && (agentId === null || agentId === found.id);

function Choosers({ onFiles }: { onFiles: (files: ReadFiles) => void }) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Not among the attributes that React knows.
    if (folder.current) folder.current.webkitdirectory = true;
  }, []);
  const take = (input: HTMLInputElement): void => {
    if (input.files) void readChosen(input.files).then(onFiles);
  };
  return (
    <div className="grid gap-3">
      <p className="text-base text-soft">
        Drop files or a folder anywhere on this page, or choose them: <code>.claude/agents</code> and other
        Markdown agents, <code>zoo.toml</code>, JSON. Nothing is saved before you have seen it.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button icon={<FileUp />} onClick={() => files.current?.click()}>
          Choose files
        </Button>
        <Button icon={<FolderUp />} onClick={() => folder.current?.click()}>
          Choose a folder
        </Button>
      </div>
      <input
        ref={files}
        type="file"
        multiple
        accept=".md,.markdown,.toml,.json"
        aria-label="Files to import"
        className="hidden"
        onChange={({ target }) => take(target)}
      />
      <input
        ref={folder}
        type="file"
        aria-label="Folder to import"
        className="hidden"
        onChange={({ target }) => take(target)}
      />
    </div>
  );
}

interface RowProps {
  planned: PlannedAgent;
  act: Act;
  notes: readonly Diagnostic[];
  error: Error | null;
  onChoose: (act: Act) => void;
}

function Row({ planned, act, notes, error, onChoose }: RowProps) {
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

function Notes({ notes, quiet = false }: { notes: readonly Diagnostic[]; quiet?: boolean }) {
  if (notes.length === 0) return null;
  return (
    <ul className="grid gap-1 text-xs">
      {notes.map(({ message, line, hint, severity }, index) => (
        <li key={index} className={severity === 'error' && !quiet ? 'text-danger' : 'text-soft'}>
          {line === null ? '' : `Line ${line}: `}
          {message}
          {hint === null ? '' : `. ${hint}`}
        </li>
      ))}
    </ul>
  );
}

interface RestProps {
  plan: readonly PlannedAgent[];
  diagnostics: readonly Diagnostic[];
  leftOut: ReadFiles['leftOut'];
}

/** Files that no agent came from, and why. */
function Rest({ plan, diagnostics, leftOut }: RestProps) {
  const rest = diagnostics.filter((one) => !plan.some((each) => isAbout(one, each)));
  if (rest.length + leftOut.length === 0) return null;
  return (
    <section className="grid gap-2 border-t border-line pt-4">
      <h3 className="text-sm font-medium">Not imported</h3>
      <ul className="grid gap-2">
        {rest.map((one, index) => (
          <li key={index}>
            <p className="font-mono text-xs break-all">{one.file}</p>
            <Notes notes={[one]} quiet />
          </li>
        ))}
        {leftOut.slice(0, SHOWN_LEFT_OUT).map(({ path, why }) => (
          <li key={path}>
            <p className="font-mono text-xs break-all">{path}</p>
            <p className="text-xs text-soft">{why}</p>
          </li>
        ))}
        {leftOut.length > SHOWN_LEFT_OUT ? (
          <li className="text-xs text-soft">
            and {formatCount(leftOut.length - SHOWN_LEFT_OUT, 'more file')}
          </li>
        ) : null}
      </ul>
    </section>
  );
}
