import type { Agent, ContextQuery } from '../contract/agent.ts';
import type { DocumentView, SearchHit } from '../contract/knowledge.ts';
import type { Knowledge, KnowledgeScope } from '../knowledge/knowledge.ts';
import type { ContextAccess, ContextPassage, Found, FoundDocument } from '../registry/gather-context.ts';
import { nearest } from '../platform/nearest.ts';
import { chooseSources, visibleSources } from './source-names.ts';
import { findWorkspaceFiles } from './workspace-files.ts';

const DEFAULT_TOKENS = 8000;
/** Many documents of a glob would not fit anyway. */
const MOST_DOCUMENTS = 100;
const SHORTEST_STEM = 4;

export interface ContextAccessParts {
  knowledge: Knowledge;
  scope: KnowledgeScope;
  /** The workspace of the caller. */
  folder: string;
  signal: AbortSignal;
}

/** The documents that an agent may be primed with: those of its sources, and text files of the workspace. */
export function createContextAccess(agent: Agent, parts: ContextAccessParts): ContextAccess {
  const { knowledge, scope, folder, signal } = parts;
  return {
    budget: agent.contextTokens ?? scope.retrieval.context_tokens ?? DEFAULT_TOKENS,
    search: (query) => searchPassages(query, parts),

    async fetch(reference) {
      const matched = hasSources(scope) ? await knowledge.match(reference, scope, signal) : [];
      if (matched.length > 0) return bounded(reference, matched.map(wholeDocument));
      if (isAddress(reference)) return missing(reference, parts);
      const files = await findWorkspaceFiles(folder, reference, MOST_DOCUMENTS + 1);
      if (files.length === 0) return missing(reference, parts);
      if (scope.only !== null) {
        const warning = `'${reference}' is left out: agent '${agent.id}' is bound to ${scope.only.join(', ') || 'no sources'}, and the file is in none of them.`;
        return { documents: [], warnings: [warning] };
      }
      return bounded(reference, files);
    },
  };
}

const isAddress = (reference: string): boolean => /^[a-z][a-z0-9+.-]*:/i.test(reference);

const hasSources = (scope: KnowledgeScope): boolean => visibleSources(scope).length > 0;

function bounded(reference: string, documents: FoundDocument[]): Found {
  if (documents.length <= MOST_DOCUMENTS) return { documents, warnings: [] };
  const warning = `'${reference}' means more than ${MOST_DOCUMENTS} documents; the rest is left out.`;
  return { documents: documents.slice(0, MOST_DOCUMENTS), warnings: [warning] };
}

async function missing(reference: string, parts: ContextAccessParts): Promise<Found> {
  const near = await nearby(reference, parts);
  const hint = near === null ? '' : ` Did you mean '${near}'?`;
  return { documents: [], warnings: [`There is no document '${reference}'.${hint}`] };
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
  const none = results.length === 0 ? [`Nothing was found for '${query}'.`] : [];
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

/** All of it, in the pieces that it was indexed in: where there is no room for all, it ends with one of them. */
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
