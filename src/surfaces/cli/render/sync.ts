import type { SyncCounts, SyncEvent } from '../../../contract/knowledge.ts';
import type { Paint } from '../terminal.ts';
import { plural, printable, renderBytes } from './layout.ts';

type Of<T extends SyncEvent['type']> = Extract<SyncEvent, { type: T }>;

const verbs = { scan: 'looking', index: 'reading', embed: 'making vectors' } as const;

/** `filesystem:docs [====    ] reading 120/240 documents, 3.4 MB, 1.2 MB/s, 8 s left`. */
export function renderProgress(event: Of<'progress'>, bar: string | null): string {
  const { source, phase, documents, totalDocuments, bytes, elapsedMs, remainingMs } = event;
  const what = phase === 'embed' ? 'passage' : 'document';
  const counted =
    totalDocuments === null ? plural(documents, what) : `${documents}/${plural(totalDocuments, what)}`;
  const rate = elapsedMs > 500 && bytes > 0 ? [`${renderBytes((bytes / elapsedMs) * 1000)}/s`] : [];
  return [
    `${source} ${bar === null ? '' : `[${bar}] `}${verbs[phase]} ${counted}`,
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
  const what = `${dryRun ? 'would be: ' : ''}${renderCounts(counts)}`;
  const mark = ok ? paint('green', '✓') : paint('red', '✗');
  const why = error === null ? '' : `\n    ${paint('red', printable(error))}`;
  return `${mark} ${source}  ${what} (${renderSeconds(tookMs)})${why}`;
}

export function renderRemoved({ source, documents }: Of<'removed'>, dryRun: boolean): string {
  return `- ${source}  ${dryRun ? 'would be ' : ''}removed, with ${plural(documents, 'document')}: the config no longer has it`;
}

export function renderEnd({ counts, tookMs }: Of<'end'>, dryRun: boolean): string {
  const seen = `${plural(counts.scanned, 'document')} looked at in ${renderSeconds(tookMs)}`;
  if (dryRun) return `${seen}; nothing was changed`;
  const vectors = counts.embedded > 0 ? `, ${plural(counts.embedded, 'vector')} made` : '';
  return `${seen}, ${renderBytes(counts.bytes)} read, ${plural(counts.chunks, 'passage')} written${vectors}`;
}

export function renderChange({ change, path, source }: Of<'change'>, paint: Paint): string {
  const marks = { added: '+', changed: '~', moved: '>', deleted: '-' } as const;
  const style = change === 'deleted' ? 'red' : change === 'added' ? 'green' : 'yellow';
  return `  ${paint(style, marks[change])} ${printable(path)}  ${paint('dim', source)}`;
}

export function renderProblem({ source, path, reason }: Of<'problem'>): string {
  return printable(`warning: ${source}${path === null ? '' : ` ${path}`}: ${reason}`);
}

function renderCounts(counts: SyncCounts): string {
  const shown = (['added', 'changed', 'moved', 'deleted', 'failed', 'skipped'] as const).flatMap((key) =>
    counts[key] > 0 ? [`${counts[key]} ${key}`] : [],
  );
  const same = counts.unchanged > 0 || shown.length === 0 ? [`${counts.unchanged} unchanged`] : [];
  return [...shown, ...same].join(', ');
}

function renderSeconds(ms: number): string {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
