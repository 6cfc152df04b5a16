import type { ContextQuery } from './agent.ts';

/** A document that goes into a prompt. */
export interface ContextDocument {
  id: string;
  title: string;
  body: string;
  source?: string;
  path?: string;
  score?: number;
  /** 0 to 1, comparable between queries. */
  relevance?: number;
  updatedAt?: string;
}

/** A piece of a document, by its lines. */
export interface ContextPassage {
  text: string;
  lineStart: number;
  lineEnd: number;
}

/** A candidate document for a prompt. */
export interface FoundDocument extends Omit<ContextDocument, 'body'> {
  /** The best passages first; for a document requested by name, all of them in order. */
  passages: readonly ContextPassage[];
}

export interface Found {
  documents: FoundDocument[];
  /** Warnings for the author: a broken reference, an unsupported mode. */
  warnings: string[];
}

/** Access to the knowledge base, for prompts. */
export interface ContextAccess {
  /** Token limit for all documents together. */
  budget: number;
  /** The best passages for a query. */
  search(query: ContextQuery): Promise<Found>;
  /** The documents behind a path, glob, URL or id. */
  fetch(reference: string): Promise<Found>;
}
