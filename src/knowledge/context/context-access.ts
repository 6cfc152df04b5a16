import { posix, relative, sep } from 'node:path';
import type { Agent, ContextQuery } from '../../contract/agent.ts';
import type { DocumentView, SearchHit } from '../../contract/knowledge.ts';
import type { Knowledge, KnowledgeScope } from '../knowledge.ts';
import type { ContextAccess, ContextPassage, Found, FoundDocument } from '../../contract/prompt-context.ts';
import type { ConfiguredSource } from '../connector.ts';
import { expandPath } from '../../platform/config/expand-path.ts';
import { nearest } from '../../contract/nearest.ts';
import { isInside, realPath } from '../../platform/files/real-path.ts';
import { chooseSources, visibleSources } from '../source-reference.ts';
import { findWorkspaceFiles, isGlob } from './workspace-files.ts';

const DEFAULT_TOKENS = 8000;
/** Limit per glob: more documents would not fit into a prompt anyway. */
const MOST_DOCUMENTS = 100;
const SHORTEST_STEM = 4;

export interface ContextAccessParts {
  knowledge: Knowledge;
  scope: KnowledgeScope;
  /** The workspace of the caller. */
  folder: string;
  signal: AbortSignal;
}

/** The documents that may go into an agent's prompt: those of its sources, and text files of the workspace. */
export function createContextAccess(agent: Agent, parts: ContextAccessParts): ContextAccess {
  const { knowledge, scope, folder, signal } = parts;

  async function files(reference: string): Promise<Found | null> {
    const { documents: found, skipped } = await findWorkspaceFiles(folder, reference, {
      most: MOST_DOCUMENTS + 1,
      hidden: scope.trusted === true,
    });
    if (found.length === 0 && skipped && !isGlob(reference))
      return { documents: [], warnings: [hiddenWarning(reference)] };
    if (found.length === 0 || scope.only === null)
      return found.length === 0 ? null : bounded(reference, found);
    const bound = scope.only.join(', ') || 'no sources';
    const warning = `'${reference}' was skipped: agent '${agent.id}' is bound to ${bound}, and the file is in none of these sources.`;
    return { documents: [], warnings: [warning] };
  }

  async function documents(reference: string): Promise<DocumentView[]> {
    return hasSources(scope) ? knowledge.match(reference, scope, signal) : [];
  }

  return {
    budget: agent.contextTokens ?? scope.retrieval.context_tokens ?? DEFAULT_TOKENS,
    search: (query) => searchPassages(query, parts),

    async fetch(reference) {
      // Try a path relative to the workspace first.
      if (!isAddress(reference)) {
        const local = await matchInRoots(reference, parts);
        if (local.length > 0) return bounded(reference, local.map(wholeDocument));
        const file = isGlob(reference) ? null : await files(reference);
        if (file) return file;
      }
      const matched = await documents(reference);
      if (matched.length > 0) return bounded(reference, matched.map(wholeDocument));
      const globbed = isGlob(reference) ? await files(reference) : null;
      return globbed ?? missing(reference, parts);
    },
  };
}

/** Documents of source folders inside the workspace, by their path in the workspace. */
async function matchInRoots(
  reference: string,
  { knowledge, scope, folder, signal }: ContextAccessParts,
): Promise<DocumentView[]> {
  const path = posix.normalize(reference);
  const found = await Promise.all(
    visibleSources(scope).map(async (source) => {
      const root = source.type === 'filesystem' ? await rootWithin(folder, source) : null;
      const begins = root === '' ? '' : `${root}/`;
      if (root === null || !path.startsWith(begins)) return [];
      const rest = path.slice(begins.length);
      const matched = await knowledge.match(rest, { ...scope, sources: [source], only: null }, signal);
      return isGlob(rest) ? matched : matched.filter((document) => document.path === rest);
    }),
  );
  return found.flat();
}

async function rootWithin(
  folder: string,
  { folder: from, config }: ConfiguredSource,
): Promise<string | null> {
  const { root } = config;
  if (typeof root !== 'string') return null;
  const [outer, inner] = await Promise.all([realPath(folder), realPath(expandPath(from, root))]);
  return isInside(outer, inner) ? relative(outer, inner).split(sep).join('/') : null;
}

const hiddenWarning = (reference: string): string =>
  `'${reference}' was skipped: hidden and git-ignored files are read only in trusted workspaces, and .git never.`;

const isAddress = (reference: string): boolean => /^[a-z][a-z0-9+.-]*:/i.test(reference);

const hasSources = (scope: KnowledgeScope): boolean => visibleSources(scope).length > 0;

function bounded(reference: string, documents: FoundDocument[]): Found {
  if (documents.length <= MOST_DOCUMENTS) return { documents, warnings: [] };
  const warning = `'${reference}' matches more than ${MOST_DOCUMENTS} documents; the rest was skipped.`;
  return { documents: documents.slice(0, MOST_DOCUMENTS), warnings: [warning] };
}

async function missing(reference: string, parts: ContextAccessParts): Promise<Found> {
  const near = await nearby(reference, parts);
  const hint = near === null ? '' : ` Did you mean '${near}'?`;
  return { documents: [], warnings: [`Document '${reference}' not found.${hint}`] };
}

async function nearby(reference: string, { knowledge, scope }: ContextAccessParts): Promise<string | null> {
  if (isAddress(reference) || !hasSources(scope)) return null;
  const stem = (reference.split('/').at(-1) ?? '').replace(/\.[^.]*$/, '');
  const similar = stem.length < SHORTEST_STEM ? [] : await knowledge.complete(stem, scope);
  const listed =
    similar.length > 0 ? similar : await knowledge.documents(scope, { after: null, limit: 1000 });
  const paths = listed.map(({ path }) => path);
  return nearest(reference, paths) ?? similar[0]?.path ?? null;
}

async function searchPassages(
  { query, source, ...options }: ContextQuery,
  { knowledge, scope, signal }: ContextAccessParts,
): Promise<Found> {
  if (!hasSources(scope)) {
    const warning = `Nothing was searched for '${query}': ${scope.only === null ? 'no source is configured' : 'none of its sources is configured'}.`;
    return { documents: [], warnings: [warning] };
  }
  if (source !== undefined) chooseSources(source, visibleSources(scope));
  const filters = source === undefined ? {} : { filters: { source } };
  const { results, notes } = await knowledge.search({ ...options, query, ...filters }, scope, signal);
  const documents = await Promise.all(
    results.map(async (hit): Promise<FoundDocument> => ({
      ...described(hit),
      score: hit.score,
      relevance: hit.relevance,
      passages: await Promise.all(
        hit.passages.map(async ({ id }) => passageOf(await knowledge.get({ id }, scope, signal))),
      ),
    })),
  );
  const none = results.length === 0 ? [`No results for '${query}'.`] : [];
  return { documents, warnings: [...none, ...notes] };
}

function described(
  document: Pick<SearchHit | DocumentView, 'id' | 'title' | 'source' | 'path' | 'updated_at'>,
): Omit<FoundDocument, 'passages'> {
  const { id, title, source, path, updated_at: updatedAt } = document;
  return { id, title, source, path, ...(updatedAt === null ? {} : { updatedAt }) };
}

const passageOf = ({ body, line_start, line_end }: DocumentView): ContextPassage => ({
  text: body,
  lineStart: line_start,
  lineEnd: line_end,
});

/** The whole document as its indexed passages, so that it is truncated between two of them. */
function wholeDocument(document: DocumentView): FoundDocument {
  const lines = document.body.split('\n');
  const ends = document.chunks.map(({ lineEnd }) => lineEnd).filter((end) => end < lines.length);
  const passages: ContextPassage[] = [];
  let from = 0;
  for (const end of [...new Set(ends), lines.length]) {
    if (end <= from) continue;
    passages.push({ text: lines.slice(from, end).join('\n'), lineStart: from + 1, lineEnd: end });
    from = end;
  }
  return { ...described(document), passages };
}
