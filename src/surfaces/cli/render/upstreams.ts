import type { UpstreamStatus } from '../../../contract/operations/upstreams.ts';
import type { View } from '../invocation.ts';
import type { Style } from '../output/paint.ts';
import { localTime, plural, wrap } from './layout.ts';
import { type Cell, type Column, renderTable } from './table.ts';

const colours: Record<UpstreamStatus['state'], Style | null> = {
  idle: 'dim',
  starting: null,
  ready: null,
  failed: 'alert',
  disabled: 'dim',
  untrusted: 'warning',
};
const ERAS = { legacy: '2025', modern: '2026-07-28' } as const;
const COLUMNS: readonly Column[] = [
  { max: 32, min: 8, keep: true },
  {},
  { min: 15 },
  {},
  { optional: true },
  { optional: true },
  { min: 16, max: 80 },
];

export function renderUpstreams(upstreams: readonly UpstreamStatus[], view: View): string {
  const rows = upstreams.map((each): Cell[] => [
    { text: each.name, style: 'bold' },
    { text: each.state, style: colours[each.state] },
    offers(each),
    [
      each.transport,
      ...(each.pid === null ? [] : [`pid ${each.pid}`]),
      ...(each.running > 1 ? [`${each.running} running`] : []),
    ].join(', '),
    each.era === null ? '' : ERAS[each.era],
    each.since === null ? '' : `since ${localTime(each.since)}`,
    { text: each.target, style: 'dim' },
  ]);
  const lines = renderTable(rows, view, { columns: COLUMNS });
  return upstreams.map((each, index) => [lines[index], ...trouble(each, view)].join('\n')).join('\n');
}

function offers({ tools, prompts, resources }: UpstreamStatus): string {
  if (tools === null) return 'never connected';
  return [
    plural(tools, 'tool'),
    ...(prompts ? [plural(prompts, 'prompt')] : []),
    ...(resources ? [plural(resources, 'resource')] : []),
  ].join(', ');
}

function trouble({ state, error }: UpstreamStatus, { columns }: View): string[] {
  if (state === 'untrusted') return ['      approve it with `zoo trust`'];
  if (error === null) return [];
  const text = state === 'failed' ? error : `last error: ${error}`;
  return [wrap(text, columns, '      ')];
}
