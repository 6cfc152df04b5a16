import { FileUp, FolderUp } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Diagnostic } from '../../../../../src/contract/diagnostic.ts';
import { useHubMutation } from '../../../data/queries.ts';
import { Button } from '../../../kit/button.tsx';
import { ErrorNote, Skeleton } from '../../../kit/feedback.tsx';
import { Sheet } from '../../../kit/floating.tsx';
import { formatCount } from '../../../kit/numbers.ts';
import { notify } from '../../../kit/toasts.tsx';
import { addSkill } from './add-skill.ts';
import { FoundAgent } from './found-agent.tsx';
import { FoundSkills } from './found-skills.tsx';
import { LeftOut } from './left-out.tsx';
import { type Act, importAgent, type PlannedAgent, planImport } from './plan-import.ts';
import { readChosen, type ReadFiles } from './read-dropped.ts';

interface ImportProps {
  /** Files that were dropped on the page. */
  dropped: ReadFiles | null;
  /** The agent that gets the skills, unless somebody chooses another. */
  into?: string;
  onClose: () => void;
}

/** What the agents and skills in some files would become, before anything is saved. */
export function ImportSheet({ dropped, into: intoAtFirst = '', onClose }: ImportProps) {
  const read = useHubMutation('readAgentFiles');
  const { mutate } = read;
  const [acts, setActs] = useState<Readonly<Record<string, Act>>>({});
  const [failed, setFailed] = useState<Readonly<Record<string, Error>>>({});
  const [isImporting, setImporting] = useState(false);
  const [into, setInto] = useState(intoAtFirst);
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
  const skills = read.data?.skills ?? [];
  const added = into === '' ? [] : skills;

  const run = async (): Promise<void> => {
    setImporting(true);
    const undo: (() => Promise<unknown>)[] = [];
    const failures: Record<string, Error> = {};
    const attempt = async (key: string, act: () => Promise<() => Promise<unknown>>): Promise<void> => {
      try {
        undo.push(await act());
      } catch (error) {
        failures[key] = error instanceof Error ? error : new Error(String(error));
      }
    };
    for (const each of chosen) await attempt(each.key, () => importAgent(each, actOf(each)));
    const agents = undo.length;
    for (const skill of added) await attempt('skills', () => addSkill(into, skill));
    setImporting(false);
    setFailed(failures);
    if (undo.length > 0) {
      const takeBack = async (): Promise<void> => {
        for (const each of undo.toReversed()) await each();
      };
      notify(`Imported ${countBoth(agents, undo.length - agents)}.`, () => void takeBack());
    }
    if (Object.keys(failures).length === 0) onClose();
  };
  return (
    <Sheet
      open
      onClose={onClose}
      title="Import agents and skills"
      footer={
        plan && plan.length + skills.length > 0 ? (
          <Button
            look="primary"
            disabled={chosen.length + added.length === 0 || isImporting}
            onClick={() => void run()}
          >
            Import {countBoth(chosen.length, added.length)}
          </Button>
        ) : undefined
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <Choosers onFiles={look} />
        {read.error ? <ErrorNote error={read.error} /> : null}
        {read.isPending ? <Skeleton /> : null}
        {plan?.length === 0 && skills.length === 0 ? (
          <p className="text-base text-soft">There are no agents or skills in these files.</p>
        ) : null}
        <ul className="grid grid-cols-[minmax(0,1fr)]" aria-label="Agents found">
          {plan?.map((each) => (
            <FoundAgent
              key={each.key}
              planned={each}
              act={actOf(each)}
              notes={read.data?.diagnostics.filter((one) => isAbout(one, each)) ?? []}
              error={failed[each.key] ?? null}
              onChoose={(act) => setActs({ ...acts, [each.key]: act })}
            />
          ))}
        </ul>
        {skills.length === 0 ? null : <FoundSkills skills={skills} into={into} onInto={setInto} />}
        {failed['skills'] ? <ErrorNote error={failed['skills']} /> : null}
        <LeftOut
          diagnostics={
            read.data?.diagnostics.filter((one) => !plan?.some((each) => isAbout(one, each))) ?? []
          }
          files={leftOut}
        />
      </div>
    </Sheet>
  );
}

/** "2 agents and 1 skill". */
const countBoth = (agents: number, skills: number): string =>
  [
    ...(agents > 0 || skills === 0 ? [formatCount(agents, 'agent')] : []),
    ...(skills > 0 ? [formatCount(skills, 'skill')] : []),
  ].join(' and ');

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
        Markdown agents, <code>SKILL.md</code>, <code>zoo.toml</code> or JSON. You see what is in them before
        anything is saved.
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
