import type { SyncCounts, SyncEvent } from '../../../contract/knowledge.ts';
import type { Paint } from '../output/terminal.ts';
import { firstLine, plural, printable, renderBytes } from './layout.ts';

type Of<T extends SyncEvent['type']> = Extract<SyncEvent, { type: T }>;

const verbs = { scan: 'looking', index: 'reading', embed: 'making vectors' } as const;

const LONGEST_BAR = 24;
const SHORTEST_BAR = 6;

/**
 * With a bar that leaves room for the figures: a terminal cuts off what is longer than its line. What is being done
 * goes before the bar does.
 */
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

/** `filesystem:docs [====    ] reading 120/240 documents, 3.4 MB, 1.2 MB/s, 8 s left`. */
function renderProgress(event: Of<'progress'>, bar: string | null, verb: string | null): string {
  const { source, phase, documents, totalDocuments, bytes, elapsedMs, remainingMs } = event;
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
  paint: Paint,
): string {
  const summary = renderCounts(counts, ok);
  const what = summary === '' ? '' : `  ${dryRun ? 'would be: ' : ''}${summary}`;
  const mark = ok ? paint('green', '✓') : paint('red', '✗');
  const why = error === null ? '' : `\n    ${paint('red', printable(error))}`;
  return `${mark} ${source}${what} (${renderSeconds(tookMs)})${why}`;
}

export function renderRemoved({ source, documents }: Of<'removed'>, dryRun: boolean): string {
  return `- ${source}  ${dryRun ? 'would be ' : ''}removed, with ${plural(documents, 'document')}: the config no longer has it`;
}

export function renderEnd({ counts, tookMs }: Of<'end'>, dryRun: boolean): string {
  if (counts.scanned === 0 && counts.embedded > 0)
    return `${plural(counts.embedded, 'vector')} made in ${renderSeconds(tookMs)}`;
  const seen = `${plural(counts.scanned, 'document')} looked at in ${renderSeconds(tookMs)}`;
  if (dryRun) return `${seen}; nothing was changed`;
  const vectors = counts.embedded > 0 ? `, ${plural(counts.embedded, 'vector')} made` : '';
  return `${seen}, ${renderBytes(counts.bytes)} read, ${plural(counts.chunks, 'passage')} written${vectors}`;
}

export function renderChange({ change, path, from, source }: Of<'change'>, paint: Paint): string {
  const marks = { added: '+', changed: '~', moved: '>', deleted: '-' } as const;
  const style = change === 'deleted' ? 'red' : change === 'added' ? 'green' : 'yellow';
  const what = from === undefined ? oneLine(path) : `${oneLine(from)} → ${oneLine(path)}`;
  return `  ${paint(style, marks[change])} ${what}  ${paint('dim', source)}`;
}

export function renderSkip({ path, reason, source }: Of<'skip'>, paint: Paint): string {
  return `  ${paint('dim', '·')} ${oneLine(path)}  ${paint('dim', `${source}  left out: ${oneLine(reason)}`)}`;
}

export function renderProblem({ source, path, reason }: Of<'problem'>): string {
  return printable(`warning: ${source}${path === null ? '' : ` ${oneLine(path)}`}: ${reason}`);
}

/** The name of a file may have anything in it. */
const oneLine = (text: string) => printable(text.replaceAll(/[\n\t\r]/g, '␣'));

function renderCounts(counts: SyncCounts, ok: boolean): string {
  const shown = (['added', 'changed', 'moved', 'deleted', 'failed', 'skipped'] as const).flatMap((key) =>
    counts[key] > 0 ? [`${counts[key]} ${key}`] : [],
  );
  if (counts.scanned === 0 && counts.embedded > 0) return plural(counts.embedded, 'vector');
  const isNews = counts.unchanged > 0 || (shown.length === 0 && ok);
  return [...shown, ...(isNews ? [`${counts.unchanged} unchanged`] : [])].join(', ');
}

function renderSeconds(ms: number): string {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
