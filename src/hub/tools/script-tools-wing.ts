import type { Environment } from '../../platform/home/paths.ts';
import type { ScriptEngines } from '../../registry/programs/program.ts';
import type { KnowledgeAccess } from '../knowledge/knowledge-scope.ts';
import { createScriptHost } from '../knowledge/script-host.ts';
import type { Wing } from '../wing.ts';
import { createScriptTools } from './script-tools.ts';

export interface ScriptToolsWingParts {
  env: Environment;
  engines: Pick<ScriptEngines, 'scripts'>;
  knowledge: KnowledgeAccess;
}

/** Tools of `[tools.script.NAME]`. They may search the knowledge that their caller may see. */
export function createScriptToolsWing({ env, engines, knowledge: access }: ScriptToolsWingParts): Wing {
  const tools = createScriptTools({
    env,
    sandbox: engines.scripts,
    host: async ({ context }) => createScriptHost(access.knowledge, await access.scopeFor(context)),
  });
  return { operations: {}, toolProviders: [tools] };
}
