import { Archive, Download, RotateCcw, Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Backup } from '../../../../src/contract/operations/backups.ts';
import { call } from '../../data/hub.ts';
import { invalidate, useHubMutation, useHubQuery } from '../../data/queries.ts';
import { Button } from '../../kit/button.tsx';
import { Copyable } from '../../kit/copyable.tsx';
import { ErrorNote, Skeleton } from '../../kit/feedback.tsx';
import { Confirm } from '../../kit/floating.tsx';
import { formatAgo, formatBytes, formatMoment } from '../../kit/numbers.ts';
import { notify } from '../../kit/toasts.tsx';
import { Section } from './section.tsx';
import { downloadBackup } from './download-backup.ts';
import { uploadBackup } from './upload-backup.ts';

const refresh = (): void => invalidate(['listBackups']);

/** Copies of everything, made and brought back here. */
export function BackupSection() {
  const { data, error } = useHubQuery('listBackups', {});
  const create = useHubMutation('createBackup');
  return (
    <Section
      id="backup"
      title="Backup"
      about="A copy of all agents, memories, chats and settings. Documents are left out: the next sync indexes them again."
    >
      {error ? <ErrorNote error={error} /> : null}
      {data === undefined && !error ? <Skeleton /> : null}
      {data?.backups.length === 0 ? <p className="text-sm text-soft">No backups yet.</p> : null}
      {data && data.backups.length > 0 ? (
        <ul className="border-t border-line" aria-label="Backups">
          {data.backups.map((backup) => (
            <BackupRow key={backup.name} backup={backup} />
          ))}
        </ul>
      ) : null}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          icon={<Archive />}
          disabled={create.isPending}
          onClick={() =>
            create.mutate(
              {},
              {
                onSuccess: ({ bytes }) => {
                  refresh();
                  notify(`Created a backup of ${formatBytes(bytes)}.`);
                },
              },
            )
          }
        >
          {create.isPending ? 'Creating a backup' : 'Create a backup'}
        </Button>
        <UploadButton />
        <span className="font-mono text-xs break-all text-faint">{data?.folder}</span>
      </div>
      {create.error ? <ErrorNote error={create.error} /> : null}
      <p className="text-sm text-soft">To or from a file, in a terminal:</p>
      <Copyable text={'zoo backup FILE\nzoo restore FILE'} />
    </Section>
  );
}

/** Adds a file that was downloaded before, here or elsewhere, to the list: nothing changes until it is restored. */
function UploadButton() {
  const input = useRef<HTMLInputElement>(null);
  const [share, setShare] = useState<number | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  const upload = async (file: File): Promise<void> => {
    setFailure(null);
    setShare(0);
    try {
      await uploadBackup(file, (sent) => setShare(sent / file.size));
      refresh();
      notify(`Uploaded ${file.name}. Restore it from the list.`);
    } catch (error) {
      setFailure(error instanceof Error ? error : new Error(String(error)));
    } finally {
      setShare(null);
    }
  };
  return (
    <>
      <Button icon={<Upload />} disabled={share !== null} onClick={() => input.current?.click()}>
        {share === null ? 'Upload a backup' : `${Math.round(share * 100)} %`}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".db"
        aria-label="Backup to upload"
        className="hidden"
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file) void upload(file);
          target.value = '';
        }}
      />
      {failure ? (
        <div className="basis-full">
          <ErrorNote error={failure} />
        </div>
      ) : null}
    </>
  );
}

function titleOf(name: string): string {
  if (name.startsWith('before-restore')) return 'Before a restore, ';
  return name.startsWith('uploaded') ? 'Uploaded ' : '';
}

function BackupRow({ backup: { name, bytes, at } }: { backup: Backup }) {
  const restore = useHubMutation('restoreBackup');
  const [share, setShare] = useState<number | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  const [isAsking, setAsking] = useState(false);
  const download = async (): Promise<void> => {
    setFailure(null);
    setShare(0);
    try {
      await downloadBackup(name, (read) => setShare(read / bytes));
    } catch (error) {
      setFailure(error instanceof Error ? error : new Error(String(error)));
    } finally {
      setShare(null);
    }
  };
  const bringBack = (): void =>
    restore.mutate(
      { name },
      {
        onSuccess: ({ previous }) => {
          refresh();
          notify(`Restored the backup of ${formatMoment(at)}.`, () => {
            void call('restoreBackup', { name: previous }).then(refresh);
          });
        },
      },
    );
  return (
    <li className="grid gap-2 border-b border-line py-2 text-sm">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="min-w-0 flex-1 basis-56">
          <span title={formatMoment(at)}>
            {titleOf(name)}
            {formatAgo(at)}
          </span>
          <span className="block truncate font-mono text-xs text-faint" title={name}>
            {name}
          </span>
        </span>
        <span className="text-xs text-soft tabular">{formatBytes(bytes)}</span>
        <Button small icon={<Download />} disabled={share !== null} onClick={() => void download()}>
          {share === null ? 'Download' : `${Math.round(share * 100)} %`}
        </Button>
        <Button small icon={<RotateCcw />} disabled={restore.isPending} onClick={() => setAsking(true)}>
          {restore.isPending ? 'Restoring' : 'Restore'}
        </Button>
      </div>
      {restore.error ? <ErrorNote error={restore.error} /> : null}
      {failure ? <ErrorNote error={failure} /> : null}
      <Confirm
        open={isAsking}
        title="Restore this backup?"
        action="Restore"
        onClose={() => setAsking(false)}
        onConfirm={bringBack}
      >
        All agents, memories, chats and settings go back to {formatMoment(at)}. The current state is saved as
        a backup first.
      </Confirm>
    </li>
  );
}
