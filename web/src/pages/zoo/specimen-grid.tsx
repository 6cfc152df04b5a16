import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { memo, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { AgentSummary } from '../../../../src/contract/agent.ts';
import { formatNumber } from '../../kit/numbers.ts';
import { useMoods } from '../../mood/use-mood.ts';
import type { AgentGroup } from './arrange-agents.ts';
import { Specimen, SPECIMEN_HEIGHT } from './specimen.tsx';

const MIN_WIDTH = 236;
const HEADING_HEIGHT = 56;

type Row = { title: string; count: number } | { agents: AgentSummary[] };

interface GridProps {
  groups: readonly AgentGroup[];
  warnings: ReadonlyMap<string, number>;
}

/** The plate. Only the rows on screen exist, so that a thousand agents scroll like ten. */
export function SpecimenGrid({ groups, warnings }: GridProps) {
  const plate = useRef<HTMLDivElement>(null);
  const [{ columns, top }, setLayout] = useState({ columns: 4, top: 0 });
  useLayoutEffect(() => {
    const element = plate.current;
    if (!element) return undefined;
    const measure = (): void => {
      const width = element.clientWidth;
      setLayout({ columns: Math.max(1, Math.floor(width / MIN_WIDTH)), top: element.offsetTop });
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const moodOf = useMoods();
  const rows = useMemo(() => groups.flatMap((group) => toRows(group, columns)), [groups, columns]);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => (isHeading(rows[index]) ? HEADING_HEIGHT : SPECIMEN_HEIGHT),
    overscan: 3,
    scrollMargin: top,
  });
  return (
    <div
      ref={plate}
      className="relative border-t border-l border-line"
      style={{ height: virtualizer.getTotalSize() }}
    >
      {virtualizer.getVirtualItems().map(({ index, start, key }) => {
        const row = rows[index];
        if (!row) return null;
        return (
          <div
            key={key}
            className="absolute inset-x-0 contain-content"
            style={{ transform: `translateY(${start - top}px)` }}
          >
            {isHeading(row) ? (
              <h2 className="flex h-14 items-end gap-2 border-r border-b border-line px-5 pb-2 font-serif text-lg">
                {row.title} <span className="text-sm text-faint tabular">{formatNumber(row.count)}</span>
              </h2>
            ) : (
              <SpecimenRow agents={row.agents} columns={columns} warnings={warnings} moodOf={moodOf} />
            )}
          </div>
        );
      })}
    </div>
  );
}

interface SpecimenRowProps {
  agents: readonly AgentSummary[];
  columns: number;
  warnings: ReadonlyMap<string, number>;
  moodOf: ReturnType<typeof useMoods>;
}

/** Rendered once: scrolling adds and removes rows, and leaves the others alone. */
const SpecimenRow = memo(function SpecimenRow({ agents, columns, warnings, moodOf }: SpecimenRowProps) {
  return (
    <ul className="grid" style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
      {agents.map((agent) => (
        <Specimen key={agent.id} agent={agent} mood={moodOf(agent)} warnings={warnings.get(agent.id) ?? 0} />
      ))}
    </ul>
  );
});

const isHeading = (row: Row | undefined): row is { title: string; count: number } =>
  row !== undefined && 'title' in row;

function toRows({ title, agents }: AgentGroup, columns: number): Row[] {
  const rows: Row[] = title === null ? [] : [{ title, count: agents.length }];
  for (let from = 0; from < agents.length; from += columns) {
    rows.push({ agents: agents.slice(from, from + columns) });
  }
  return rows;
}
