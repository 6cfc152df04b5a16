import type { Passage, SearchAnswer, SearchHit } from '../../../contract/knowledge.ts';
import type { Paint } from '../output/terminal.ts';
import { indent, localTime, printable, wrap } from './layout.ts';

/** One paragraph for each document: what it is, where it is, and the passages that match. */
export function renderSearch(
  { results, explain }: SearchAnswer,
  paint: Paint,
  columns: number = Infinity,
): string {
  const hits = results.map((hit, index) => renderHit(hit, index + 1, paint, columns));
  return [...hits, ...(explain ? [renderExplanation(explain)] : [])].join('\n\n');
}

function renderHit(hit: SearchHit, rank: number, paint: Paint, columns: number): string {
  const where = [
    hit.source,
    hit.path,
    ...(hit.updated_at === null ? [] : [`changed ${localTime(hit.updated_at)}`]),
    `relevance ${hit.relevance.toFixed(2)}`,
    hit.id,
  ];
  return [
    `${rank}. ${paint('bold', printable(hit.title))}`,
    paint('dim', indent(where.join('  '), '   ')),
    ...(hit.url === null ? [] : [paint('dim', indent(hit.url, '   '))]),
    ...hit.passages.map((passage) => renderPassage(passage, paint, columns)),
    ...(hit.explain ? [paint('dim', indent(renderRanks(hit.explain), '   '))] : []),
  ].join('\n');
}

const SNIPPET_INDENT = '     ';

function renderPassage(
  { headings, snippet, lineStart, lineEnd }: Passage,
  paint: Paint,
  columns: number,
): string {
  const place = [...headings.map(printable), `lines ${lineStart}-${lineEnd}`].join(' › ');
  const lines = wrap(printable(snippet.trim()), columns - SNIPPET_INDENT.length - 1);
  const text = lines.join(`\n${SNIPPET_INDENT}`).replaceAll(/\*\*([^]+?)\*\*/g, (whole, match: string) => {
    const painted = paint('yellow', match);
    return painted === match ? whole : painted;
  });
  return `${paint('cyan', `   ${place}`)}\n${SNIPPET_INDENT}${text}`;
}

function renderRanks(explain: NonNullable<SearchHit['explain']>): string {
  const rank = (name: string, at: number | null, score: number | null) =>
    at === null ? `${name} -` : `${name} #${at}${score === null ? '' : ` (${score.toFixed(3)})`}`;
  return [
    rank('words', explain.keywordRank, explain.keywordScore),
    rank('meaning', explain.vectorRank, explain.vectorScore),
    `has ${explain.matched.join(', ') || 'none of the words'}`,
  ].join(', ');
}

function renderExplanation(explain: NonNullable<SearchAnswer['explain']>): string {
  const { terms, expanded, corrected, vectorWeight, candidates, tookMs } = explain;
  const corrections = Object.entries(corrected).map(([typed, read]) => `${typed} as ${read}`);
  return [
    `Searched for ${terms.join(', ') || 'nothing'}`,
    ...(corrections.length > 0 ? [`read ${corrections.join(', ')}`] : []),
    ...(expanded.length > 0
      ? [`added ${expanded.map(({ term, weight }) => `${term} (${weight.toFixed(2)})`).join(', ')}`]
      : []),
    ...(vectorWeight === null ? [] : [`trusted the vectors by ${vectorWeight.toFixed(2)}`]),
    `${candidates} candidates in ${tookMs.toFixed(1)} ms`,
  ].join('\n');
}
