import { ChevronsUpDown, FolderTree } from 'lucide-react';
import { useHubQuery } from '../data/queries.ts';
import { chooseWorkspace, useWorkspaceId } from '../data/workspace.ts';
import { Menu } from '../kit/menus/menu.tsx';

const folderName = (path: string): string => path.split(/[\\/]/).findLast((part) => part !== '') ?? path;

/** Switches between the current workspace and others that this hub has seen. */
export function WorkspaceSwitch() {
  const chosen = useWorkspaceId();
  const status = useHubQuery('status', {});
  const all = useHubQuery('listWorkspaces', {});
  const current = status.data?.workspace;
  const items = (all.data?.workspaces ?? []).map(({ id, path }) => ({
    label: folderName(path),
    hint: path,
    checked: id === current?.id,
    onSelect: () => chooseWorkspace(id),
  }));
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="flex w-full items-center gap-2 rounded-md px-2 py-1.5 text-left hover:bg-wash"
          title={current?.path}
        >
          <FolderTree className="size-4 shrink-0 text-soft" />
          <span className="min-w-0 flex-1 max-md:hidden lg:block">
            <span className="block text-xs text-faint">Workspace</span>
            <span className="block truncate text-sm">{current ? folderName(current.path) : '…'}</span>
          </span>
          <ChevronsUpDown className="size-3.5 text-faint max-lg:hidden" />
        </button>
      }
      items={[
        ...items,
        ...(chosen === null
          ? []
          : ['line' as const, { label: 'Where the hub was started', onSelect: () => chooseWorkspace(null) }]),
      ]}
    />
  );
}
