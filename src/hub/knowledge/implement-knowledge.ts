import type { Implements } from '../../contract/api.ts';
import type { CallContext } from '../../contract/call.ts';
import type { SearchFilters } from '../../contract/knowledge.ts';
import type { KnowledgeScope } from '../../knowledge/knowledge.ts';
import { chooseSources, isAllowed, namedSources, visibleSources } from '../../knowledge/source-reference.ts';
import { type KnowledgeAccess, untrustedSources } from './knowledge-scope.ts';
import type { KnowledgeWork } from './knowledge-work.ts';
import type { AgentDirectory } from '../agents/agent-directory.ts';

const PAGE = 100;

export function implementKnowledge(
  { knowledge, scopeFor }: KnowledgeAccess,
  { view }: Pick<AgentDirectory, 'view'>,
  work: KnowledgeWork,
): Implements<'knowledge'> {
  /** Lists the available sources if a filter matches none. */
  async function narrowed(source: SearchFilters['source'], context: CallContext): Promise<KnowledgeScope> {
    const scope = await scopeFor(context);
    const names = namedSources(source);
    if (names.length === 0) return scope;
    const chosen = names.flatMap((name) => chooseSources(name, visibleSources(scope)));
    return { ...scope, sources: [...new Set(chosen)] };
  }

  return {
    async searchKnowledge({ body }, context) {
      const scope = await narrowed(body.filters?.source, context);
      const answer = await knowledge.search(body, scope, context.signal);
      if (answer.results.length > 0) return answer;
      const hint = await whyEmpty(scope);
      return hint === null || answer.notes.includes(hint)
        ? answer
        : { ...answer, notes: [...answer.notes, hint] };
    },

    async listDocuments({ source, after = null, limit = PAGE }, context) {
      const scope = await narrowed(source, context);
      const found = await knowledge.documents(scope, { after, limit: limit + 1 });
      const documents = found.slice(0, limit);
      return { documents, next: found.length > limit ? (documents.at(-1)?.id ?? null) : null };
    },

    async getDocument(request, context) {
      return knowledge.get(request, await scopeFor(context), context.signal);
    },

    async listSources(_input, context) {
      const scope = await scopeFor(context);
      const known = await knowledge.sources(scope);
      const ids = new Set(known.map(({ id }) => id));
      const waiting = untrustedSources(await view(context.workspace)).filter(
        (source) => !ids.has(source.id) && isAllowed(source, scope.only),
      );
      return { sources: [...known, ...waiting] };
    },

    async knowledgeStats(_input, context) {
      return knowledge.stats(await scopeFor(context));
    },

    async *syncKnowledge({ body = {} }, context) {
      yield* work.sync(await view(context.workspace), body, context.signal);
    },

    async embedStatus(_input, context) {
      return knowledge.embedStatus(await scopeFor(context));
    },

    async *rebuildEmbedding({ body = {} }, context) {
      yield* work.embed(await view(context.workspace), body, context.signal);
    },
  };

  async function whyEmpty(scope: KnowledgeScope): Promise<string | null> {
    if (visibleSources(scope).length === 0) {
      return 'No sources are configured. Add one to zoo.toml, such as `[connectors.filesystem.docs]` with `root = "docs"`.';
    }
    const sources = await knowledge.sources(scope);
    if (sources.some(({ documents }) => documents > 0)) return null;
    const syncing = sources.some((source) => source.syncing);
    const failed = sources.find(({ last_error: error }) => error !== null);
    if (!syncing && failed) return `${failed.id} has no documents: ${failed.last_error}`;
    return syncing
      ? 'The first sync is still running. Try again in a moment.'
      : 'Nothing has been synced yet: run `zoo sync`.';
  }
}
