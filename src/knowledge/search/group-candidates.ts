import type { RetrievalSettings } from './retrieval-settings.ts';

/** A chunk among the candidates, with its document. */
export interface Candidate {
  chunk: number;
  document: number;
  score: number;
}

/** One result: a document, or a chunk where results are not grouped. */
export interface Group {
  key: number;
  score: number;
  /** Best first. */
  chunks: Candidate[];
}

/** Groups candidates into results, best first. Similarities may be negative, so sums count from the least one. */
export function groupCandidates(
  candidates: readonly Candidate[],
  { groupBy, aggregate, passages }: Pick<RetrievalSettings, 'groupBy' | 'aggregate' | 'passages'>,
): Group[] {
  let least = 0;
  const groups = new Map<number, Candidate[]>();
  for (const candidate of candidates) {
    if (candidate.score < least) least = candidate.score;
    const key = groupBy === 'document' ? candidate.document : candidate.chunk;
    const group = groups.get(key);
    if (group) group.push(candidate);
    else groups.set(key, [candidate]);
  }
  const result: Group[] = [];
  for (const [key, found] of groups) {
    const chunks = found.length === 1 ? found : found.toSorted(byScore).slice(0, passages);
    const best = chunks[0]?.score ?? 0;
    result.push({ key, score: aggregate === 'max' ? best : aggregated(chunks, aggregate, least), chunks });
  }
  return result.toSorted(byScore);
}

const byScore = (a: { score: number }, b: { score: number }): number => b.score - a.score;

function aggregated(chunks: readonly Candidate[], aggregate: 'sum' | 'mean', least: number): number {
  const sum = chunks.reduce((total, { score }) => total + score - least, 0);
  return aggregate === 'sum' ? sum : sum / chunks.length;
}
