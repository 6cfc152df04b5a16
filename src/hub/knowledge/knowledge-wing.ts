import { existsSync } from 'node:fs';
import { createKnowledge } from '../../knowledge/create-knowledge.ts';
import { createSyncLocks } from '../../knowledge/sync/sync-lock.ts';
import type { Database } from '../../platform/store/database.ts';
import { type Environment, homeFiles } from '../../platform/home/paths.ts';
import type { SecretMask } from '../../platform/text/secret-mask.ts';
import type { ScriptEngines } from '../../registry/programs/program.ts';
import { createSyncAnnouncer } from './announce-sync.ts';
import { createConnectorScripts } from './connector-scripts.ts';
import { createKnowledgeLive } from './knowledge-live.ts';
import { createKnowledgeWork } from './knowledge-work.ts';
import type { AgentDirectory } from '../agents/agent-directory.ts';
import { fixedTools } from '../tools/fixed-tools.ts';
import type { AgentScopes } from '../tools/scopes.ts';
import type { Wing } from '../wing.ts';
import type { Views } from '../workspaces/views.ts';
import { createDocumentResources } from './document-resources.ts';
import { implementKnowledge } from './implement-knowledge.ts';
import { createKnowledgeAccess, type KnowledgeAccess } from './knowledge-scope.ts';
import { diagnoseSources } from './source-diagnostics.ts';
import type { Implements } from '../../contract/api.ts';
import type { Tool } from '../../contract/tool.ts';
import { knowledgeTools } from '../../tools/builtin/index.ts';

export interface KnowledgeWing extends Wing<'knowledge'> {
  access: KnowledgeAccess;
}

export interface KnowledgeWingParts {
  directory: AgentDirectory;
  scopes: Pick<AgentScopes, 'toolsFor'>;
  views: Pick<Views, 'follow'>;
  home: string;
  db: Database;
  now: () => Date;
  env: Environment;
  mask: SecretMask;
  engines: Pick<ScriptEngines, 'scripts'>;
  /** Whether sources are synced automatically. */
  live: boolean;
  /** Whether an explicit config replaces the discovered ones. */
  explicitConfig: boolean;
  log: (message: string, error: unknown) => void;
}

/** Search, documents and syncs. Threads start with the first request. */
export function createKnowledgeWing(parts: KnowledgeWingParts): KnowledgeWing {
  const { home, db, now, directory, scopes, views, env, engines, live, explicitConfig, log } = parts;
  const files = homeFiles(home);
  const runScript = createConnectorScripts(engines.scripts, env, parts.mask);
  const knowledge = createKnowledge({
    openReader: async () => {
      const { createIndexReader } = await import('../../knowledge/index/create-index-reader.ts');
      return createIndexReader({ file: files.knowledge });
    },
    openSyncer: async (options) => {
      const { createSyncer } = await import('../../knowledge/sync/create-syncer.ts');
      return createSyncer({ index: files.knowledge, cache: files.knowledgeCache, runScript, ...options });
    },
    locks: createSyncLocks(files.knowledgeLocks),
  });

  // If nothing was ever synced, nothing can be removed, and no thread is needed.
  const removes = () => !explicitConfig && existsSync(files.knowledge);
  const work = createKnowledgeWork({ knowledge, removes, announce: createSyncAnnouncer({ db, now, log }) });
  const keeper = live ? createKnowledgeLive(work, log) : null;
  if (keeper) views.follow({ onOpen: keeper.follow, onClose: keeper.unfollow });
  const access = createKnowledgeAccess(knowledge, directory);
  const operations = implementKnowledge(access, directory, work);
  return {
    access,
    operations,
    toolProviders: [fixedTools(createKnowledgeTools(operations))],
    offers: [{ resources: createDocumentResources(access, scopes) }],
    diagnostics: diagnoseSources,
    use: work.use,
    async close() {
      keeper?.close();
      await work.close();
      await knowledge.close();
    },
  };
}

/** Built-in tools over the operations of this wing. */
function createKnowledgeTools(operations: Implements<'knowledge'>): Tool[] {
  return knowledgeTools({
    search: (body, context) => operations.searchKnowledge({ body }, context),
    get: (request, context) => operations.getDocument(request, context),
    sources: async (context) => (await operations.listSources({}, context)).sources,
  });
}
