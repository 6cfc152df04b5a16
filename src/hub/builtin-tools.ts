import type { Implementation } from '../contract/api.ts';
import type { Tool } from '../contract/tool.ts';
import { withIntroduction } from '../registry/compile.ts';
import { agentTools, brainTools, editingTools, knowledgeTools } from '../tools/builtin/index.ts';

type Used =
  | 'listAgents'
  | 'getAgent'
  | 'patchAgent'
  | 'patchSkill'
  | 'setCurrent'
  | 'queryBrain'
  | 'createBrainEntry'
  | 'patchBrainEntry'
  | 'deleteBrainEntry'
  | 'searchKnowledge'
  | 'getDocument'
  | 'listSources';

/** The hub's own tools, over its operations. `resolve` is apart: an agent may be told to inject another. */
export function builtinTools(
  operations: () => Pick<Implementation, Used>,
  resolve: Parameters<typeof agentTools>[0]['resolve'],
): Tool[] {
  const nameOf = async (id: string, context: Parameters<Implementation['getAgent']>[1]): Promise<string> =>
    (await operations().getAgent({ id }, context)).name;
  return [
    ...agentTools({
      list: async (context) => (await operations().listAgents({}, context)).agents,
      get: (id, context) => operations().getAgent({ id }, context),
      resolve,
      withIntroduction,
    }),
    ...editingTools({
      async setCurrent(agentId, context) {
        await operations().setCurrent({ body: { agentId } }, context);
        return nameOf(agentId, context);
      },
      setSystemPrompt: async (id, systemPrompt, context) =>
        (await operations().patchAgent({ id, body: { systemPrompt } }, context)).name,
      setSkillEnabled: async (id, skillId, enabled, context) =>
        (await operations().patchSkill({ id, skillId, body: { enabled } }, context)).name,
    }),
    ...brainTools({
      create: (id, body, context) => operations().createBrainEntry({ id, body }, context),
      update: (id, entryId, body, context) => operations().patchBrainEntry({ id, entryId, body }, context),
      async remove(id, entryId, context) {
        await operations().deleteBrainEntry({ id, entryId }, context);
      },
      query: (id, filter, context) => operations().queryBrain({ id, ...filter }, context),
    }),
    ...knowledgeTools({
      search: (body, context) => operations().searchKnowledge({ body }, context),
      get: (request, context) => operations().getDocument(request, context),
      sources: async (context) => (await operations().listSources({}, context)).sources,
    }),
  ];
}
