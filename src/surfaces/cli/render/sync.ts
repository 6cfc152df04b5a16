import type { SyncCounts, SyncEvent } from '../../../contract/knowledge.ts';
import { terminalLine } from '../../../platform/text/terminal-text.ts';
import type { Paint } from '../output/paint.ts';
import type { View } from '../invocation.ts';
import { firstLine, plural, renderBytes, wrap } from './layout.ts';

type Of<T extends SyncEvent['type']> = Extract<SyncEvent, { type: T }>;

const verbs = { scan: 'scanning', index: 'indexing', embed: 'embedding' } as const;

const LONGEST_BAR = 24;
const SHORTEST_BAR = 6;

/** Fits the line into the terminal: the bar is shortened first, then the verb is dropped, then the bar. */
export function fitProgress(
  event: Of<'progress'>,
  bar: ((size: number) => string) | null,
  columns: number,
): string {
  const width = columns - 1;
  if (bar === null) return firstLine(renderProgress(event, null, verbs[event.phase]), width);
  for (const verb of [verbs[event.phase], null]) {
    const room = width - renderProgress(event, '', verb).length;
    if (room >= SHORTEST_BAR) return renderProgress(event, bar(Math.min(room, LONGEST_BAR)), verb);
  }
  return firstLine(renderProgress(event, null, null), width);
}

/** `filesystem:docs [====    ] indexing 120/240 documents, 3.4 MB, 1.2 MB/s, 8 s left`. */
function renderProgress(event: Of<'progress'>, bar: string | null, verb: string | null): string {
  const { phase, documents, totalDocuments, bytes, elapsedMs, remainingMs } = event;
  const source = terminalLine(event.source);
  const what = phase === 'embed' ? 'passage' : 'document';
  const counted =
    totalDocuments === null ? plural(documents, what) : `${documents}/${plural(totalDocuments, what)}`;
  const rate = elapsedMs > 500 && bytes > 0 ? [`${renderBytes((bytes / elapsedMs) * 1000)}/s`] : [];
  return [
    `${source} ${bar === null ? '' : `[${bar}] `}${verb === null ? '' : `${verb} `}${counted}`,
    ...(bytes > 0 ? [renderBytes(bytes)] : []),
    ...rate,
    ...(remainingMs === null ? [] : [`${renderSeconds(remainingMs)} left`]),
  ].join(', ');
}

/** `filesystem:docs  3 added, 1 deleted, 120 unchanged (1.2 s)`. */
export function renderDone(
  { source, ok, error, counts, tookMs }: Of<'done'>,
  dryRun: boolean,
  { paint, columns }: Pick<View, 'paint' | 'columns'>,
): string {
  const summary = renderCounts(counts, ok);
  const what = summary === '' ? '' : `  ${dryRun ? 'would be ' : ''}${summary}`;
  const mark = ok ? paint('added', '✓') : paint('alert', '✗');
  const why = error === null ? '' : `\n${wrap(terminalLine(error), columns, '    ')}`;
  return `${mark} ${source}${what} (${renderSeconds(tookMs)})${why}`;
}

export function renderRemoved({ source, documents }: Of<'removed'>, dryRun: boolean): string {
  return `- ${source}  ${dryRun ? 'would be ' : ''}removed with ${plural(documents, 'document')}: no longer in the config`;
}

export function renderEnd({ counts, tookMs }: Of<'end'>, dryRun: boolean): string {
  if (counts.scanned === 0 && counts.embedded > 0)
    return `${plural(counts.embedded, 'passage')} embedded in ${renderSeconds(tookMs)}`;
  const seen = `${plural(counts.scanned, 'document')} checked in ${renderSeconds(tookMs)}`;
  if (dryRun) return `${seen}; nothing changed`;
  const vectors = counts.embedded > 0 ? `, ${counts.embedded} embedded` : '';
  return `${seen}, ${renderBytes(counts.bytes)} read, ${plural(counts.chunks, 'passage')} written${vectors}`;
}

export function renderChange({ change, path, from, source }: Of<'change'>, paint: Paint): string {
  const marks = { added: '+', changed: '~', moved: '>', deleted: '-' } as const;
  const style = change === 'deleted' ? 'removed' : change === 'added' ? 'added' : 'warning';
  const what = from === undefined ? terminalLine(path) : `${terminalLine(from)} → ${terminalLine(path)}`;
  return `  ${paint(style, marks[change])} ${what}  ${paint('dim', source)}`;
}

export function renderSkip({ path, reason, source }: Of<'skip'>, paint: Paint): string {
  return `  ${paint('dim', '·')} ${terminalLine(path)}  ${paint('dim', `${source}  skipped: ${terminalLine(reason)}`)}`;
}

export function renderProblem({ source, path, reason }: Of<'problem'>, paint: Paint): string {
  return `${paint('warning', 'warning')}: ${source}${path === null ? '' : ` ${terminalLine(path)}`}: ${terminalLine(reason)}`;
}

function renderCounts(counts: SyncCounts, ok: boolean): string {
  const shown = (['added', 'changed', 'moved', 'deleted', 'failed', 'skipped'] as const).flatMap((key) =>
    counts[key] > 0 ? [`${counts[key]} ${key}`] : [],
  );
  if (counts.scanned === 0 && counts.embedded > 0) return `${counts.embedded} embedded`;
  const showUnchanged = counts.unchanged > 0 || (shown.length === 0 && ok);
  return [...shown, ...(showUnchanged ? [`${counts.unchanged} unchanged`] : [])].join(', ');
}

function renderSeconds(ms: number): string {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
