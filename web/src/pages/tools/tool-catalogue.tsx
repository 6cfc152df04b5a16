import { Link } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';
import type { ToolDescriptor } from '../../../../src/contract/tool.ts';
import { formatCount, formatNumber } from '../../kit/numbers.ts';
import type { ToolGroup } from './group-tools.ts';
import { ToolBadges } from './tool-badges.tsx';

const ROW = 60;
const HEADING = 64;

type Row = { group: ToolGroup } | { tool: ToolDescriptor };

/** Every tool, by where it comes from. Only rows on screen exist, so that a thousand tools scroll like ten. */
export function ToolCatalogue({ groups }: { groups: readonly ToolGroup[] }) {
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), [groups]);
  const rows = groups
    .filter(({ tools }) => tools.length > 0)
    .flatMap((group): Row[] => [{ group }, ...group.tools.map((tool) => ({ tool }))]);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => (rows[index] !== undefined && 'group' in rows[index] ? HEADING : ROW),
    overscan: 8,
    scrollMargin: top,
  });
  return (
    <div ref={list} className="relative" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ index, start, key }) => {
        const row = rows[index];
        if (row === undefined) return null;
        return (
          <div key={key} className="absolute inset-x-0" style={{ transform: `translateY(${start - top}px)` }}>
            {'group' in row ? <Heading group={row.group} /> : <ToolRow tool={row.tool} />}
          </div>
        );
      })}
    </div>
  );
}

function Heading({ group: { title, tools, total } }: { group: ToolGroup }) {
  const tokens = tools.reduce((sum, tool) => sum + (tool.tokens ?? 0), 0);
  return (
    <h3
      className="flex items-end gap-2 border-b border-line pb-2 font-serif text-lg"
      style={{ height: HEADING }}
    >
      {title}
      <span className="pb-0.5 font-sans text-xs text-faint tabular">
        {tools.length === total
          ? formatCount(total, 'tool')
          : `${formatNumber(tools.length)} of ${formatCount(total, 'tool')}`}
        , {formatCount(tokens, 'token')}
      </span>
    </h3>
  );
}

function ToolRow({ tool }: { tool: ToolDescriptor }) {
  return (
    <Link
      to="/tools"
      search={(now) => ({ ...now, tool: tool.name })}
      resetScroll={false}
      className="grid content-center gap-x-4 border-b border-line px-1 -outline-offset-2 hover:bg-sheet sm:grid-cols-[minmax(0,1fr)_auto]"
      style={{ height: ROW }}
    >
      <span className="min-w-0">
        <span className="block truncate font-mono text-sm" title={tool.displayName}>
          {tool.displayName}
        </span>
        <span className="block truncate text-xs text-soft" title={tool.description}>
          {tool.description === '' ? 'No description' : tool.description}
        </span>
      </span>
      <span className="flex items-center gap-2 text-xs text-faint tabular max-sm:hidden">
        <ToolBadges tool={tool} />
        {tool.tokens === undefined ? null : (
          <span className="w-20 text-right">{formatCount(tool.tokens, 'token')}</span>
        )}
      </span>
    </Link>
  );
}
