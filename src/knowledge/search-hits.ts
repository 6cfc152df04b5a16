import type { Passage, SearchHit } from '../contract/knowledge.ts';
import { exactPhrase } from './exact-phrase.ts';
import { type IndexConnection, type IndexRow, textOrNull } from './index-connection.ts';
import { storedHeadings, storedMetadata } from './index-rows.ts';
import { type IndexMemory, recallRows } from './index-memory.ts';
import type { Candidate, EntryReader } from './keyword-search.ts';
import type { QueryPlan } from './query-plan.ts';
import { matchedTerms } from './relevance.ts';
import { type MarkedPhrases, snippetOf } from './snippet.ts';
import { termsOf } from './text-terms.ts';

/** A result before its texts are read. */
export interface RankedGroup {
  /** Best first, at least one. */
  chunks: readonly Candidate[];
  score: number;
  relevance: number;
  keyword: { rank: number; score: number } | null;
  vector: { rank: number; score: number } | null;
}

export function readHits(
  connection: IndexConnection,
  plan: QueryPlan,
  groups: readonly RankedGroup[],
  options: { memory: IndexMemory; entries: EntryReader; explain: boolean },
): SearchHit[] {
  const weights = new Map(plan.terms.map(({ term, idf }) => [term, idf]));
  for (const term of plan.required.flat()) if (!weights.has(term)) weights.set(term, 0.1);
  const phrases = markedPhrases(plan, weights);
  const { documents, texts } = options.memory;
  recallRows(
    connection,
    documents,
    `SELECT document.id, document.name, document.title, document.path, document.url, document.updated_at,
       document.metadata, source.type || ':' || source.name AS source
     FROM json_each(?) JOIN document ON document.id = json_each.value JOIN source ON source.id = document.source`,
    groups.map(({ chunks }) => chunks[0]?.document ?? 0),
    (row) => row,
  );
  recallRows(
    connection,
    texts,
    'SELECT chunk.id, ordinal, headings, body, line_start, line_end FROM json_each(?) JOIN chunk ON chunk.id = json_each.value',
    groups.flatMap(({ chunks }) => chunks.map(({ chunk }) => chunk)),
    (row) => row,
  );
  // Whatever is found by its meaning alone has nothing to mark.
  const mayMatch = (chunk: number): boolean => {
    const entry = plan.required.length > 0 || phrases ? undefined : options.entries.read(chunk);
    return entry === undefined || matchedTerms(plan.terms, entry).length > 0;
  };
  const nothing = new Map<string, number>();
  return groups.flatMap((group) => {
    const document = documents.get(group.chunks[0]?.document ?? 0);
    if (!document) return [];
    const rows = group.chunks.flatMap((candidate) => {
      const row = texts.get(candidate.chunk);
      return row ? [{ row, candidate }] : [];
    });
    const passages = rows.map(({ row, candidate }) =>
      passageOf(document, row, candidate.score, mayMatch(candidate.chunk) ? weights : nothing, phrases),
    );
    const [best] = passages;
    if (!best) return [];
    const text = options.explain
      ? [document.title, document.path, ...rows.map(({ row }) => textOf(row))].join('\n')
      : '';
    return [
      {
        id: String(document.name),
        title: String(document.title),
        headings: best.headings,
        snippet: best.snippet,
        score: group.score,
        relevance: Math.min(1, Math.max(0, group.relevance)),
        source: String(document.source),
        path: String(document.path),
        url: textOrNull(document.url),
        updated_at: textOrNull(document.updated_at),
        metadata: storedMetadata(document.metadata),
        passages,
        ...(options.explain && {
          explain: {
            keywordRank: group.keyword?.rank ?? null,
            keywordScore: group.keyword?.score ?? null,
            vectorRank: group.vector?.rank ?? null,
            vectorScore: group.vector?.score ?? null,
            matched: matchedIn(text, weights),
          },
        }),
      },
    ];
  });
}

function markedPhrases(
  { phrases }: QueryPlan,
  weights: ReadonlyMap<string, number>,
): MarkedPhrases | undefined {
  if (phrases.required.length === 0) return undefined;
  const inside = new Set(phrases.required.flatMap(termsOf));
  return {
    wholes: phrases.required.map(exactPhrase).filter((whole) => whole !== null),
    others: new Map([...weights].filter(([term]) => !inside.has(term))),
  };
}

function passageOf(
  document: IndexRow,
  row: IndexRow,
  score: number,
  weights: ReadonlyMap<string, number>,
  phrases: MarkedPhrases | undefined,
): Passage {
  return {
    id: `${String(document.name)}#${String(row.ordinal)}`,
    headings: storedHeadings(row.headings),
    snippet: snippetOf(String(row.body), weights, phrases),
    score,
    lineStart: Number(row.line_start),
    lineEnd: Number(row.line_end),
  };
}

const textOf = (row: IndexRow): string => `${storedHeadings(row.headings).join('\n')}\n${String(row.body)}`;

function matchedIn(text: string, weights: ReadonlyMap<string, number>): string[] {
  const there = new Set(termsOf(text));
  return [...weights.keys()].filter((term) => there.has(term));
}
