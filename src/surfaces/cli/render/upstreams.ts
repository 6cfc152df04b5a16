import type { UpstreamStatus } from '../../../contract/operations/upstreams.ts';
import type { Paint } from '../output/terminal.ts';
import { alignColumns, indent, localTime, plural, printable } from './layout.ts';

const colours: Record<UpstreamStatus['state'], Parameters<Paint>[0]> = {
  idle: 'dim',
  starting: 'cyan',
  ready: 'green',
  failed: 'red',
  disabled: 'dim',
  untrusted: 'yellow',
};
const ERAS = { legacy: '2025', modern: '2026-07-28' } as const;

export function renderUpstreams(upstreams: readonly UpstreamStatus[], paint: Paint): string {
  const rows = alignColumns(
    upstreams.map((each) => [
      `  ${printable(each.name)}`,
      paint(colours[each.state], each.state),
      offered(each),
      [
        each.pid === null ? each.transport : `${each.transport}, pid ${each.pid}`,
        ...(each.running > 1 ? [`${each.running} running`] : []),
        ...(each.era === null ? [] : [ERAS[each.era]]),
        ...(each.since === null ? [] : [`since ${localTime(each.since)}`]),
      ].join(', '),
      printable(each.target),
    ]),
    [32],
  );
  return upstreams.map((each, index) => [rows[index], ...trouble(each, paint)].join('\n')).join('\n');
}

function offered({ tools, prompts, resources }: UpstreamStatus): string {
  if (tools === null) return 'never seen';
  const parts = [
    plural(tools, 'tool'),
    ...(prompts ? [plural(prompts, 'prompt')] : []),
    ...(resources ? [plural(resources, 'resource')] : []),
  ];
  return parts.join(', ');
}

function trouble({ state, error }: UpstreamStatus, paint: Paint): string[] {
  if (state === 'untrusted') return [paint('dim', '      approve it with `zoo trust`')];
  if (error === null) return [];
  const text = state === 'failed' ? error : `before: ${error}`;
  return [paint(state === 'failed' ? 'red' : 'dim', indent(text, '      '))];
}
