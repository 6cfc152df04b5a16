import { FileWarning, FolderOpen, GitBranch, Globe, Plus, ScrollText, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ConnectorType, KnowledgeSource } from '../../../../src/contract/knowledge.ts';
import { Button } from '../../kit/button.tsx';
import { Badge, Empty, Skeleton } from '../../kit/feedback.tsx';
import { formatAgo, formatBytes, formatCount, formatMoment, formatNumber } from '../../kit/numbers.ts';
import { SyncButton } from './sync-button.tsx';
import { HubText } from '../../kit/hub-text/hub-text.tsx';

const icons: Record<ConnectorType, ReactNode> = {
  filesystem: <FolderOpen />,
  git: <GitBranch />,
  web: <Globe />,
  script: <ScrollText />,
};
const typeWords: Record<ConnectorType, string> = {
  filesystem: 'Folder',
  git: 'Git repository',
  web: 'Website',
  script: 'Script',
};

interface SourceListProps {
  sources: readonly KnowledgeSource[] | undefined;
  onAdd: () => void;
}

export function SourceList({ sources, onAdd }: SourceListProps) {
  if (sources === undefined) return <Skeleton lines={6} />;
  if (sources.length === 0) {
    return (
      <Empty
        title="No documents yet"
        action={
          <Button look="primary" icon={<Plus />} onClick={onAdd}>
            Add a source
          </Button>
        }
        command="zoo sources add docs"
      >
        Add a folder, a Git repository or a website, and agents can answer from it and cite the lines they
        used.
      </Empty>
    );
  }
  return (
    <ul className="border-t border-line">
      {sources.map((source) => (
        <SourceRow key={source.id} source={source} />
      ))}
    </ul>
  );
}

function SourceRow({ source }: { source: KnowledgeSource }) {
  const { id, type, name, location, documents, bytes, tokens, skipped, failed, last_error } = source;
  return (
    <li className="grid gap-x-6 gap-y-2 border-b border-line py-4 lg:grid-cols-[minmax(0,1fr)_22rem_auto]">
      <div className="flex min-w-0 gap-3">
        <span className="mt-1 text-soft [&_svg]:size-4">{icons[type]}</span>
        <div className="min-w-0">
          <h2 className="flex flex-wrap items-center gap-x-2 font-serif text-lg">
            {name}
            <SourceState source={source} />
          </h2>
          <p className="font-mono text-xs break-all text-soft">
            {typeWords[type]}: {location}
          </p>
        </div>
      </div>
      <p className="text-sm text-soft tabular max-lg:pl-7">
        {formatCount(documents, 'document')}, {formatBytes(bytes)}, {formatCount(tokens, 'token')}
        {skipped > 0 ? (
          <span className="block text-xs text-faint">{formatNumber(skipped)} skipped</span>
        ) : null}
      </p>
      <div className="max-lg:pl-7">
        <SyncButton what={id} label="Sync" small disabled={!source.configured} />
      </div>
      {last_error === null ? null : (
        <p className="flex gap-2 text-sm text-danger max-lg:pl-7 lg:col-span-3 lg:pl-7">
          <TriangleAlert className="mt-0.5 size-4 shrink-0" />{' '}
          <span className="break-words">
            <HubText>{last_error}</HubText>
          </span>
        </p>
      )}
      {failed.length === 0 ? null : <Failures failed={failed} />}
    </li>
  );
}

function SourceState({ source }: { source: KnowledgeSource }) {
  if (source.syncing) return <Badge tone="leaf">Syncing</Badge>;
  if (!source.configured) return <Badge tone="amber">Needs approval</Badge>;
  if (!source.healthy) return <Badge tone="danger">Failed</Badge>;
  if (source.last_sync === null) return <Badge tone="amber">Not synced yet</Badge>;
  return (
    <span className="font-sans text-xs text-faint" title={formatMoment(source.last_sync)}>
      synced {formatAgo(source.last_sync)}
    </span>
  );
}

function Failures({ failed }: { failed: KnowledgeSource['failed'] }) {
  return (
    <details className="text-sm max-lg:pl-7 lg:col-span-3 lg:pl-7">
      <summary className="inline-flex cursor-pointer items-center gap-2 text-amber">
        <FileWarning className="size-4" /> {formatCount(failed.length, 'file')} could not be read
      </summary>
      <ul className="mt-2 grid gap-1">
        {failed.map(({ path, reason, since }) => (
          <li key={path} className="grid gap-x-3 sm:grid-cols-[minmax(0,20rem)_1fr]">
            <span className="truncate font-mono text-xs leading-5" title={path}>
              {path}
            </span>
            <span className="text-soft">
              {reason} <span className="text-faint">({formatAgo(since)})</span>
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
