import type { Passage, SearchAnswer, SearchHit } from '../../../contract/knowledge.ts';
import { terminalLine } from '../../../platform/text/terminal-text.ts';
import type { View } from '../invocation.ts';
import { localTime, plural, wrap } from './layout.ts';

/** One paragraph for each document: title, place, and the passages that match. */
export function renderSearch({ results, explain }: SearchAnswer, view: Omit<View, 'folder'>): string {
  const hits = results.map((hit, index) => renderHit(hit, index + 1, view));
  return [...hits, ...(explain ? [wrap(renderExplanation(explain), view.columns)] : [])].join('\n\n');
}

function renderHit(hit: SearchHit, rank: number, view: Omit<View, 'folder'>): string {
  const { paint, columns } = view;
  const where = [
    hit.source,
    hit.path,
    ...(hit.updated_at === null ? [] : [`changed ${localTime(hit.updated_at)}`]),
    `relevance ${hit.relevance.toFixed(2)}`,
    hit.id,
  ];
  const note = (text: string): string => wrap(terminalLine(text), columns, '   ');
  return [
    `${rank}. ${paint('bold', terminalLine(hit.title))}`,
    note(where.join('  ')),
    ...(hit.url === null ? [] : [note(hit.url)]),
    ...hit.passages.map((passage) => renderPassage(passage, view)),
    ...(hit.explain ? [note(renderRanks(hit.explain))] : []),
  ].join('\n');
}

/** A marked word or phrase: it begins and ends with a word, unlike the stars of globs, powers and `**options`. */
const marked =
  /(?<![A-Za-z0-9_*])\*\*(?=[\p{L}\p{N}\p{Extended_Pictographic}_])([^*]*(?:[\p{L}\p{M}\p{N}\p{Extended_Pictographic}_+#]|\ufe0f))\*\*(?![A-Za-z0-9_*])/gu;

function renderPassage(
  { headings, snippet, lineStart, lineEnd }: Passage,
  { paint, columns }: Omit<View, 'folder'>,
): string {
  const place = terminalLine([...headings, `lines ${lineStart}-${lineEnd}`].join(' › '));
  const text = wrap(snippet.trim().replaceAll(/\s*\n\s*/g, ' '), columns, '     ').replaceAll(
    marked,
    (whole, match: string) => {
      const painted = paint('bold', match);
      return painted === match ? whole : painted;
    },
  );
  return `${paint('dim', wrap(place, columns, '   '))}\n${text}`;
}

function renderRanks(explain: NonNullable<SearchHit['explain']>): string {
  const rank = (name: string, at: number | null, score: number | null) =>
    at === null ? `${name} -` : `${name} #${at}${score === null ? '' : ` (${score.toFixed(3)})`}`;
  return [
    rank('keywords', explain.keywordRank, explain.keywordScore),
    rank('vectors', explain.vectorRank, explain.vectorScore),
    `matched ${explain.matched.join(', ') || 'none of the words'}`,
  ].join(', ');
}

function renderExplanation(explain: NonNullable<SearchAnswer['explain']>): string {
  const { terms, expanded, corrected, vectorWeight, candidates, tookMs } = explain;
  const corrections = Object.entries(corrected).map(([typed, read]) => `${typed} as ${read}`);
  return [
    `Searched for ${terms.join(', ') || 'nothing'}`,
    ...(corrections.length > 0 ? [`Corrected ${corrections.join(', ')}`] : []),
    ...(expanded.length > 0
      ? [`Added ${expanded.map(({ term, weight }) => `${term} (${weight.toFixed(2)})`).join(', ')}`]
      : []),
    ...(vectorWeight === null ? [] : [`Vector weight ${vectorWeight.toFixed(2)}`]),
    `${plural(candidates, 'candidate')} in ${tookMs.toFixed(1)} ms`,
  ].join('\n');
}
