import { Suspense, useState } from 'react';
import type { ConfigChange, ConfigEdit, ConfigTarget } from '../../../src/contract/operations/config.ts';
import { invalidate, useHubMutation, useHubQuery, useKept } from '../data/queries.ts';
import { Button } from '../kit/button.tsx';
import { ErrorNote, Skeleton, WarningNote } from '../kit/feedback.tsx';
import { Segments } from '../kit/segments.tsx';
import { notify } from '../kit/toasts.tsx';
import { lazyPart } from '../kit/load-script.ts';
import { TrustReview } from '../pages/settings/trust-section.tsx';
import { afterEdits, undoEdit } from './undo-edit.ts';

const TextDiff = lazyPart(async () => ({ default: (await import('../kit/editor/text-diff.tsx')).TextDiff }));

interface ConfigEditFormProps {
  /** Null while there is nothing to add yet. */
  change: ConfigChange | null;
  onDone: () => void;
}

const targets: readonly { value: ConfigTarget; label: string }[] = [
  { value: 'workspace', label: 'This workspace' },
  { value: 'user', label: 'Everywhere' },
];

/** The second half of every addition to a config: where it goes, the diff, and the button that writes it. */
export function ConfigEditForm({ change, onDone }: ConfigEditFormProps) {
  const [target, setTarget] = useState<ConfigTarget>('workspace');
  const apply = useHubMutation('applyConfig');
  if (apply.data !== undefined && needsApproval(apply.data)) {
    return <Approval edit={apply.data} onDone={onDone} />;
  }
  const write = (hash: string): void => {
    if (change === null) return;
    apply.mutate(
      { body: { change, target, hash } },
      {
        onSuccess: (edit) => {
          invalidate(afterEdits);
          notify(`Added ${namesOf(edit)} to ${fileName(edit)}.`, () => void undoEdit(edit, target));
          if (!needsApproval(edit)) onDone();
        },
        onError: () => invalidate(['previewConfig']),
      },
    );
  };
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Segments label="Where to write it" value={target} options={targets} onChange={setTarget} />
        <span className="text-xs text-soft">
          {target === 'workspace'
            ? 'Goes into the zoo.toml of this folder, for everyone who works in it.'
            : 'Goes into your own config, for every folder you work in.'}
        </span>
      </div>
      {change === null ? null : (
        <Preview change={change} target={target} isWriting={apply.isPending} onWrite={write} />
      )}
      {apply.error ? <ErrorNote error={apply.error} /> : null}
    </div>
  );
}

interface PreviewProps {
  change: ConfigChange;
  target: ConfigTarget;
  isWriting: boolean;
  onWrite: (hash: string) => void;
}

function Preview({ change, target, isWriting, onWrite }: PreviewProps) {
  const { data, error } = useHubQuery('previewConfig', { body: { change, target } });
  const edit = useKept(data);
  if (error) return <ErrorNote error={error} />;
  if (edit === undefined) return <Skeleton lines={4} />;
  const notes = edit.added.flatMap(({ name, notes: said }) => said.map((note) => `${name}: ${note}`));
  const isEmpty = edit.added.length === 0;
  return (
    <div className="grid gap-3">
      <p className="font-mono text-xs break-all text-soft">
        {edit.file}
        {edit.exists ? '' : ' (new)'}
      </p>
      {isEmpty ? null : (
        <Suspense fallback={<Skeleton lines={4} />}>
          <TextDiff before={edit.before} after={edit.after} label="What changes in the file" />
        </Suspense>
      )}
      {notes.length === 0 ? null : <WarningNote>{linesOf(notes)}</WarningNote>}
      {edit.skipped.length === 0 ? null : (
        <WarningNote>{linesOf(edit.skipped.map(({ name, why }) => `${name} skipped: ${why}`))}</WarningNote>
      )}
      <div>
        <Button
          look="primary"
          disabled={isEmpty || isWriting || data === undefined}
          onClick={() => onWrite(edit.hash)}
        >
          {edit.exists ? `Write ${fileName(edit)}` : `Create ${fileName(edit)}`}
        </Button>
      </div>
    </div>
  );
}

const linesOf = (lines: readonly string[]) => lines.map((line) => <p key={line}>{line}</p>);
const namesOf = ({ added }: ConfigEdit): string => added.map(({ name }) => name).join(', ');
const fileName = ({ file }: ConfigEdit): string => file.split(/[\\/]/).at(-1) ?? file;
const needsApproval = ({ trust }: ConfigEdit): boolean => trust === 'untrusted' || trust === 'changed';

/** Written, but nothing of a shared folder runs before it is approved: also what is new in it. */
function Approval({ edit, onDone }: { edit: ConfigEdit; onDone: () => void }) {
  const { data, error } = useHubQuery('getTrust', {});
  const isApproved = data?.state === 'trusted';
  return (
    <div className="grid gap-4">
      <p className="text-base">
        Written to <span className="font-mono text-sm">{fileName(edit)}</span>. A workspace may be shared, so
        it needs your approval: review what it runs, then approve it.
      </p>
      {error ? <ErrorNote error={error} /> : null}
      {data === undefined ? <Skeleton /> : <TrustReview report={data} />}
      <div>
        <Button look={isApproved ? 'primary' : 'quiet'} onClick={onDone}>
          {isApproved ? 'Done' : 'Later'}
        </Button>
      </div>
    </div>
  );
}
