import { visibleSources } from '../../knowledge/source-reference.ts';
import type { CallContext } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import type { ResourceProvider, ResourceTemplate } from '../../contract/offers/resource.ts';
import type { KnowledgeScope } from '../../knowledge/knowledge.ts';
import type { AgentScopes } from '../tools/scopes.ts';
import type { KnowledgeAccess } from './knowledge-scope.ts';

const DOCUMENTS = 'agent-zoo://documents/';
/** The list is only for browsing; clients find other documents by search or completion. */
const LISTED = 200;

const DOCUMENT: ResourceTemplate = {
  uriTemplate: `${DOCUMENTS}{id}`,
  name: 'document',
  title: 'Document',
  description: 'A complete document of the knowledge base. The tool `search` returns the ids.',
  mimeType: 'text/markdown',
};

/** Documents as resources. A caller that acts as an agent can read only those that its tool `get` would return. */
export function createDocumentResources(
  { knowledge, scopeFor: knowledgeScopeFor }: KnowledgeAccess,
  { toolsFor }: Pick<AgentScopes, 'toolsFor'>,
): ResourceProvider {
  async function scopeFor(context: CallContext): Promise<KnowledgeScope | null> {
    const scope = await knowledgeScopeFor(context);
    if (visibleSources(scope).length === 0) return null;
    if (context.agent === null) return scope;
    const tools = await toolsFor(context);
    return tools.some(({ name }) => name === 'get') ? scope : null;
  }

  return {
    async list(context) {
      const scope = await scopeFor(context);
      if (!scope) return [];
      const documents = await knowledge.documents(scope, { after: null, limit: LISTED });
      return documents.map(({ id, title, source, path, mime_type: mimeType }) => ({
        uri: DOCUMENTS + encodeURIComponent(id),
        name: path,
        title,
        description: `${path}, of ${source}.`,
        mimeType,
      }));
    },

    templates: async () => [DOCUMENT],

    async read(uri, context) {
      const id = idIn(uri);
      const scope = id === null ? null : await scopeFor(context);
      if (id === null || !scope) return null;
      const document = await knowledge.get({ id }, scope, context.signal).catch(nullWhenMissing);
      return document && [{ uri, mimeType: document.mime_type, text: document.body }];
    },

    async complete(uriTemplate, { name, value }, _given, context) {
      if (uriTemplate !== DOCUMENT.uriTemplate) return null;
      const scope = name === 'id' ? await scopeFor(context) : null;
      return scope ? (await knowledge.complete(value, scope)).map(({ id }) => id) : [];
    },
  };
}

function idIn(uri: string): string | null {
  if (!uri.startsWith(DOCUMENTS)) return null;
  try {
    return decodeURIComponent(uri.slice(DOCUMENTS.length)) || null;
  } catch {
    return null;
  }
}

function nullWhenMissing(error: unknown): null {
  if (error instanceof ZooError && error.code === 'document_not_found') return null;
  throw error;
}
