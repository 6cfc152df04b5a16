import type { Knowledge, KnowledgeScope } from '../../knowledge/knowledge.ts';
import { chooseSources, namedSources, visibleSources } from '../../knowledge/source-reference.ts';
import type { ScriptHost } from '../../scripting/sandbox.ts';

/**
 * The knowledge base, as far as a script or module may see it.
 *
 * @param unknownSource modules find nothing in a source that is not configured (seed 002), scripts get an error
 */
export function createScriptHost(
  knowledge: Knowledge,
  scope: KnowledgeScope,
  unknownSource: 'fails' | 'is empty' = 'fails',
): ScriptHost {
  return {
    async search(query, signal) {
      const named = unknownSource === 'fails' ? namedSources(query.filters?.source) : [];
      for (const name of named) chooseSources(name, visibleSources(scope));
      return (await knowledge.search(query, scope, signal)).results;
    },
    get: (id, signal) => knowledge.get({ id }, scope, signal),
    sources: () => knowledge.sources(scope),
  };
}
