import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus, RefreshCw, Search } from 'lucide-react';
import { Suspense, useDeferredValue, useEffect, useMemo } from 'react';
import { addActions } from '../../app/palette-actions.ts';
import { invalidate, useHubMutation, useHubQuery, useKept } from '../../data/queries.ts';
import { Button } from '../../kit/button.tsx';
import { Empty, ErrorNote, Skeleton } from '../../kit/feedback.tsx';
import { SearchInput } from '../../kit/field.tsx';
import { formatCount } from '../../kit/numbers.ts';
import { Page } from '../../kit/page.tsx';
import { lazyPart } from '../../kit/load-script.ts';
import { groupTools } from './group-tools.ts';
import { ServerRow } from './server-row.tsx';
import { ToolCatalogue } from './tool-catalogue.tsx';
import type { ToolsSearch } from './tools-search.ts';

const AddServersSheet = lazyPart(async () => ({
  default: (await import('./add-servers-sheet.tsx')).AddServersSheet,
}));
const ToolSheet = lazyPart(async () => ({ default: (await import('./tool-sheet.tsx')).ToolSheet }));
const ServerSheet = lazyPart(async () => ({ default: (await import('./server-sheet.tsx')).ServerSheet }));

/** The upstream servers and every tool there is. */
export function ToolsPage() {
  const search = useSearch({ from: '/tools' });
  const navigate = useNavigate({ from: '/tools' });
  const change = (part: Partial<ToolsSearch>, replace = false): void => {
    void navigate({ search: (now) => ({ ...now, ...part }), replace, resetScroll: false });
  };
  const upstreams = useHubQuery('listUpstreams', {});
  const listed = useHubQuery('listTools', { tokens: true });
  const servers = useKept(upstreams.data)?.upstreams;
  const tools = useKept(listed.data)?.tools;
  const text = useDeferredValue(search.q ?? '');
  const groups = useMemo(() => groupTools(tools ?? [], servers ?? [], text), [tools, servers, text]);
  const matching = groups.reduce((sum, group) => sum + group.tools.length, 0);
  useEffect(
    () =>
      addActions([
        {
          id: 'add-server',
          label: 'Add MCP servers',
          group: 'Actions',
          run: () => void navigate({ search: { add: true } }),
        },
      ]),
    [navigate],
  );
  return (
    <Page
      title="Tools"
      about={tools === undefined ? '\u00a0' : aboutOf(tools.length, servers?.length ?? 0)}
      actions={
        servers === undefined || servers.length === 0 ? undefined : (
          <>
            <CheckButton />
            <Button look="primary" icon={<Plus />} onClick={() => change({ add: true })}>
              Add servers
            </Button>
          </>
        )
      }
    >
      {upstreams.error ? <ErrorNote error={upstreams.error} /> : null}
      {listed.error ? <ErrorNote error={listed.error} /> : null}
      <section aria-labelledby="servers">
        <h2 id="servers" className="sr-only">
          Servers
        </h2>
        {servers === undefined ? <Skeleton lines={4} /> : null}
        {servers?.length === 0 ? <NoServers onAdd={() => change({ add: true })} /> : null}
        {servers === undefined || servers.length === 0 ? null : (
          <ul className="border-t border-line">
            {servers.map((server) => (
              <ServerRow key={`${server.workspace ?? ''} ${server.name}`} server={server} />
            ))}
          </ul>
        )}
      </section>
      <section aria-labelledby="all-tools" className="mt-10">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <h2 id="all-tools" className="font-serif text-xl">
            All tools
          </h2>
          <SearchInput
            label="Search tools"
            placeholder="Name or description"
            icon={<Search />}
            value={search.q ?? ''}
            onChange={(q) => change({ q: q === '' ? undefined : q }, true)}
            className="w-full sm:w-80"
          />
          <span role="status" className="text-xs text-faint tabular">
            {text === '' || tools === undefined ? '' : formatCount(matching, 'tool')}
          </span>
        </div>
        {tools === undefined ? <Skeleton lines={8} /> : <ToolCatalogue groups={groups} />}
        {tools !== undefined && matching === 0 && text !== '' ? (
          <Empty title="Nothing found">No tool name or description matches.</Empty>
        ) : null}
      </section>
      <Suspense fallback={null}>
        {search.add === true ? <AddServersSheet open onClose={() => change({ add: undefined })} /> : null}
        {search.server === undefined ? null : (
          <ServerSheet
            server={servers?.find(({ name }) => name === search.server)}
            onClose={() => change({ server: undefined })}
          />
        )}
        {search.tool === undefined ? null : (
          <ToolSheet name={search.tool} tools={tools} onClose={() => change({ tool: undefined })} />
        )}
      </Suspense>
    </Page>
  );
}

function aboutOf(tools: number, servers: number): string {
  const from = servers === 0 ? 'the hub itself' : `the hub itself and ${formatCount(servers, 'MCP server')}`;
  return `${formatCount(tools, 'tool')} to grant to agents, from ${from}.`;
}

function CheckButton() {
  const check = useHubMutation('checkUpstreams');
  return (
    <Button
      icon={<RefreshCw />}
      disabled={check.isPending}
      onClick={() => check.mutate({}, { onSettled: () => invalidate(['listUpstreams', 'listTools']) })}
    >
      {check.isPending ? 'Checking' : 'Check all'}
    </Button>
  );
}

function NoServers({ onAdd }: { onAdd: () => void }) {
  return (
    <Empty
      title="No MCP servers yet"
      action={
        <Button look="primary" icon={<Plus />} onClick={onAdd}>
          Add servers
        </Button>
      }
      command="zoo tools add memory -- npx -y @modelcontextprotocol/server-memory"
    >
      The hub starts MCP servers once for all your clients, and agents get exactly the tools that you grant
      them.
    </Empty>
  );
}
