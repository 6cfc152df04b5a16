import { isAbsolute } from 'node:path';
import type { EmbedStatus, KnowledgeSource, KnowledgeStats } from '../../../contract/knowledge.ts';
import type { Paint } from '../output/terminal.ts';
import { alignColumns, firstLine, localTime, plural, printable, renderBytes, shortPath } from './layout.ts';

const shownFailures = 3;

/** A line for each source, and below it what is wrong with it. */
export function renderSources(sources: readonly KnowledgeSource[], folder: string, paint: Paint): string {
  const rows = alignColumns(
    sources.map((source) => [
      `  ${source.id}`,
      plural(source.documents, 'document'),
      renderBytes(source.bytes),
      freshness(source),
      printable(isAbsolute(source.location) ? shortPath(source.location, folder) : source.location),
    ]),
    [40],
  );
  return sources
    .flatMap((source, index) => [
      rows[index] ?? '',
      ...remarks(source).map((line) => paint(source.healthy ? 'dim' : 'red', `      ${line}`)),
    ])
    .join('\n');
}

function freshness({ syncing, last_sync, healthy, configured, documents }: KnowledgeSource): string {
  if (syncing) return 'syncing now';
  if (last_sync !== null) return `${healthy ? 'synced' : 'tried'} ${localTime(last_sync)}`;
  if (!configured) return 'not trusted yet';
  return documents > 0 ? 'synced in part' : 'never synced';
}

function remarks({ last_error, failed, skipped }: KnowledgeSource): string[] {
  const more = failed.length - shownFailures;
  return [
    ...(last_error === null ? [] : [firstLine(last_error, 120)]),
    ...failed.slice(0, shownFailures).map(({ path, reason }) => firstLine(`${path}: ${reason}`, 120)),
    ...(more > 0 ? [`… and ${more} more that could not be read`] : []),
    ...(skipped > 0 ? [`${skipped} left out: \`zoo sync --dry-run\` says which, and why`] : []),
  ];
}

export function renderStats(stats: KnowledgeStats, folder: string, paint: Paint): string {
  const { documents, chunks, bytes, tokens, indexBytes, embedding, sources } = stats;
  return [
    ...alignColumns([
      ['Documents', String(documents)],
      ['Passages', String(chunks)],
      ['Text', `${renderBytes(bytes)}, ${tokens} tokens`],
      ['Index', renderBytes(indexBytes)],
      ['Vectors', summarize(embedding)],
    ]),
    ...(sources.length > 0 ? ['', renderSources(sources, folder, paint)] : []),
  ].join('\n');
}

function summarize({ provider, model, embedded, chunks }: EmbedStatus): string {
  if (provider === 'disabled') return 'none: search goes by words ([embedding] provider)';
  return `${embedded} of ${chunks} passages, by ${provider}${model === null ? '' : ` ${model}`}`;
}

export function renderEmbedding(status: EmbedStatus): string {
  const { provider, model, dims, fingerprint, chunks, embedded, pending, stale, last_error } = status;
  return alignColumns([
    ['Provider', provider],
    ['Model', model ?? '-'],
    ['Dimensions', dims === null ? '-' : String(dims)],
    ['Fingerprint', fingerprint ?? '-'],
    ['Passages', String(chunks)],
    ['With a vector', String(embedded)],
    ['Missing', String(pending)],
    ...(stale > 0 ? [['Of other models', String(stale)]] : []),
    ...(last_error === null ? [] : [['Last error', printable(last_error)]]),
  ]).join('\n');
}
