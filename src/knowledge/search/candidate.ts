export interface ScoredChunk {
  chunk: number;
  score: number;
}

/** A chunk among the candidates, with the document it belongs to. */
export interface Candidate extends ScoredChunk {
  document: number;
}
