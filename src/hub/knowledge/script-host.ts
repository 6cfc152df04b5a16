import type { Knowledge, KnowledgeScope } from '../../knowledge/knowledge.ts';
import type { ScriptHost } from '../../scripting/sandbox.ts';

/** The knowledge base, as far as a script may see it. */
export function createScriptHost(knowledge: Knowledge, scope: KnowledgeScope): ScriptHost {
  return {
    search: async (query, signal) => (await knowledge.search(query, scope, signal)).results,
    get: (id, signal) => knowledge.get({ id }, scope, signal),
    sources: () => knowledge.sources(scope),
  };
}
