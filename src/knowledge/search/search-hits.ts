import type { Passage, SearchHit } from '../../contract/knowledge.ts';
import { exactPhrase } from './exact-phrase.ts';
import { type IndexConnection, type IndexRow, textOrNull } from '../index/index-connection.ts';
import { storedHeadings, storedMetadata } from '../index/index-rows.ts';
import { type IndexMemory, type KnownText, recallRows } from '../index/index-memory.ts';
import type { Candidate } from './group-candidates.ts';
import type { QueryPlan } from './query-plan.ts';
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

/** For a long question, only the rarest words are marked. */
const MOST_MARKED = 32;

export function readHits(
  connection: IndexConnection,
  plan: QueryPlan,
  groups: readonly RankedGroup[],
  options: { memory: IndexMemory; explain: boolean },
): SearchHit[] {
  const weights = new Map(
    plan.terms
      .map(({ term, idf, weight }): [string, number] => [term, idf * weight])
      .toSorted((a, b) => b[1] - a[1])
      .slice(0, MOST_MARKED),
  );
  for (const term of plan.required.flat()) if (!weights.has(term)) weights.set(term, 0.1);
  const phrases = markedPhrases(plan, weights);
  recallTexts(connection, groups, options.memory);
  const { documents, texts } = options.memory;
  const hits: SearchHit[] = [];
  for (const group of groups) {
    const document = documents.get(group.chunks[0]?.document ?? 0);
    if (!document) continue;
    const id = String(document.name);
    const passages: Passage[] = [];
    for (const { chunk, score } of group.chunks) {
      const text = texts.get(chunk);
      if (text) passages.push(passageOf(id, text, score, weights, phrases));
    }
    const [best] = passages;
    if (!best) continue;
    hits.push({
      id,
      title: String(document.title),
      headings: best.headings,
      snippet: best.snippet,
      score: group.score,
      relevance: group.relevance,
      source: String(document.source),
      path: String(document.path),
      url: textOrNull(document.url),
      updated_at: textOrNull(document.updated_at),
      metadata: storedMetadata(document.metadata),
      passages,
      ...(options.explain && { explain: explanationOf(group, document, texts, weights) }),
    });
  }
  return hits;
}

function recallTexts(
  connection: IndexConnection,
  groups: readonly RankedGroup[],
  { documents, texts }: IndexMemory,
): void {
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
    (row) => ({
      ordinal: Number(row.ordinal),
      headings: storedHeadings(row.headings),
      body: String(row.body),
      lineStart: Number(row.line_start),
      lineEnd: Number(row.line_end),
    }),
  );
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
  document: string,
  { ordinal, headings, body, lineStart, lineEnd }: KnownText,
  score: number,
  weights: ReadonlyMap<string, number>,
  phrases: MarkedPhrases | undefined,
): Passage {
  return {
    id: `${document}#${ordinal}`,
    // A copy, since the original stays in memory.
    headings: headings.slice(),
    snippet: snippetOf(body, weights, phrases),
    score,
    lineStart,
    lineEnd,
  };
}

function explanationOf(
  { chunks, keyword, vector }: RankedGroup,
  document: IndexRow,
  texts: ReadonlyMap<number, KnownText>,
  weights: ReadonlyMap<string, number>,
): NonNullable<SearchHit['explain']> {
  const parts = [document.title, document.path];
  for (const { chunk } of chunks) {
    const text = texts.get(chunk);
    if (text) parts.push(text.headings.join('\n'), text.body);
  }
  const there = new Set(termsOf(parts.join('\n')));
  return {
    keywordRank: keyword?.rank ?? null,
    keywordScore: keyword?.score ?? null,
    vectorRank: vector?.rank ?? null,
    vectorScore: vector?.score ?? null,
    matched: [...weights.keys()].filter((term) => there.has(term)),
  };
}
