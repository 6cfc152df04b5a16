import { isAbsolute } from 'node:path';
import type { EmbedStatus, KnowledgeSource, KnowledgeStats } from '../../../contract/knowledge.ts';
import type { View } from '../invocation.ts';
import type { Style } from '../output/paint.ts';
import { localTime, plural, renderBytes, renderFacts, shortPath, wrap } from './layout.ts';
import { type Cell, type Column, renderTable } from './table.ts';

const shownFailures = 3;
const COLUMNS: readonly Column[] = [
  { max: 40, min: 14, keep: true },
  { align: 'right' },
  { align: 'right', optional: true },
  {},
  { min: 8, max: 80 },
];

/** A line for each source, with its problems below. */
export function renderSources(sources: readonly KnowledgeSource[], view: View): string {
  const { folder, columns } = view;
  const rows = sources.map((source): Cell[] => {
    return [
      { text: source.id, style: 'bold' },
      plural(source.documents, 'document'),
      renderBytes(source.bytes),
      freshness(source),
      {
        text: isAbsolute(source.location) ? shortPath(source.location, folder) : source.location,
        style: 'dim',
      },
    ];
  });
  const lines = renderTable(rows, view, { columns: COLUMNS });
  return sources
    .flatMap((source, index) => [
      lines[index] ?? '',
      ...remarks(source).map((line) => wrap(line, columns, '      ')),
    ])
    .join('\n');
}

function freshness(source: KnowledgeSource): { text: string; style: Style | null } {
  const { syncing, last_sync: at, healthy, configured, documents } = source;
  if (syncing) return { text: 'syncing now', style: null };
  if (at !== null) {
    return healthy
      ? { text: `synced ${localTime(at)}`, style: null }
      : { text: `failed ${localTime(at)}`, style: 'alert' };
  }
  if (!configured) return { text: 'not trusted yet', style: 'warning' };
  return { text: documents > 0 ? 'partly synced' : 'never synced', style: 'warning' };
}

function remarks({ last_error, failed, skipped }: KnowledgeSource): string[] {
  const more = failed.length - shownFailures;
  return [
    ...(last_error === null ? [] : [last_error]),
    ...failed.slice(0, shownFailures).map(({ path, reason }) => `${path}: ${reason}`),
    ...(more > 0 ? [`… and ${more} more that could not be read`] : []),
    ...(skipped > 0 ? [`${skipped} skipped: \`zoo sync --dry-run\` lists them with the reason`] : []),
  ];
}

export function renderStats(stats: KnowledgeStats, view: View): string {
  const { documents, chunks, bytes, tokens, indexBytes, embedding, sources } = stats;
  return [
    renderFacts(
      [
        ['Documents', String(documents)],
        ['Passages', String(chunks)],
        ['Text', `${renderBytes(bytes)}, ${tokens} tokens`],
        ['Index', renderBytes(indexBytes)],
        ['Vectors', summarize(embedding)],
      ],
      view,
      { indent: 0 },
    ),
    ...(sources.length > 0 ? ['', renderSources(sources, view)] : []),
  ].join('\n');
}

function summarize({ provider, model, embedded, chunks }: EmbedStatus): string {
  if (provider === 'disabled') return 'none: keyword search only ([embedding] provider adds more)';
  return `${embedded} of ${chunks} passages, by ${provider}${model === null ? '' : ` ${model}`}`;
}

export function renderEmbedding(status: EmbedStatus, view: View): string {
  const { provider, model, dims, fingerprint, chunks, embedded, pending, stale, last_error } = status;
  return renderFacts(
    [
      ['Provider', provider],
      ['Model', model ?? '-'],
      ['Dimensions', dims === null ? '-' : String(dims)],
      ['Fingerprint', fingerprint ?? '-'],
      ['Passages', String(chunks)],
      ['With vectors', String(embedded)],
      ['Missing', String(pending)],
      ...(stale > 0 ? [['From other models', String(stale)] as const] : []),
      ...(last_error === null ? [] : [['Last error', last_error] as const]),
    ],
    view,
    { indent: 0 },
  );
}
