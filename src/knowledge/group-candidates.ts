import type { Candidate } from './keyword-search.ts';
import type { RetrievalSettings } from './retrieval-settings.ts';

/** What becomes one result: a document, or a chunk where results are not grouped. */
export interface Group {
  key: number;
  score: number;
  /** Best first. */
  chunks: Candidate[];
}

/** Candidates as results, best first. Scores of distances may be negative, so sums count from the least one. */
export function groupCandidates(
  candidates: readonly Candidate[],
  { groupBy, aggregate, passages }: Pick<RetrievalSettings, 'groupBy' | 'aggregate' | 'passages'>,
): Group[] {
  const least = candidates.reduce((low, { score }) => Math.min(low, score), 0);
  const groups = new Map<number, Candidate[]>();
  for (const candidate of candidates) {
    const key = groupBy === 'document' ? candidate.document : candidate.chunk;
    const group = groups.get(key);
    if (group) group.push(candidate);
    else groups.set(key, [candidate]);
  }
  return [...groups]
    .map(([key, found]): Group => {
      const chunks = found.toSorted((a, b) => b.score - a.score).slice(0, passages);
      const sum = chunks.reduce((total, { score }) => total + score - least, 0);
      const best = chunks[0]?.score ?? 0;
      const score = aggregate === 'max' ? best : aggregate === 'sum' ? sum : sum / chunks.length;
      return { key, score, chunks };
    })
    .toSorted((a, b) => b.score - a.score);
}
