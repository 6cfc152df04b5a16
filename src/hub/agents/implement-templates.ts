import type { Implements } from '../../contract/api.ts';
import { ZooError } from '../../contract/errors.ts';
import { completeDefinition } from '../../registry/definition.ts';
import { templates } from '../../registry/templates.ts';
import type { AgentDirectory } from './agent-directory.ts';

export function implementTemplates({ store, view }: AgentDirectory): Implements<'templates'> {
  return {
    listTemplates: async () => ({ templates: [...templates] }),

    async useTemplate({ template: name, body = {} }, context) {
      const template = templates.find(({ id }) => id === name);
      if (!template) {
        const known = templates.map(({ id }) => id).join(', ');
        throw new ZooError('template_not_found', `Template '${name}' not found. Available: ${known}.`);
      }
      const definition = completeDefinition({ ...template.agent, name: body.name ?? template.agent.name });
      if (body.id !== undefined) return store.create(definition, context, { exact: body.id });
      const { byId } = (await view(context.workspace)).merged();
      const base = body.name ?? template.id;
      return store.create(definition, context, { base, taken: (id) => byId.has(id) });
    },
  };
}
