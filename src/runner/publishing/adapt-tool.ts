import type { PublishedTool } from '../../contract/agent.ts';
import { DONE_ONCE } from '../../contract/offers/once-meta.ts';
import { toJsonSchema } from '../../contract/parameters.ts';
import type { Tool, ToolDescriptor } from '../../contract/tool.ts';
import type { Published, PublishedCalls } from './published-calls.ts';

/** A published tool as the catalogue and MCP have it. */
export function adaptTool(
  published: Published,
  names: Pick<ToolDescriptor, 'name' | 'displayName'>,
  calls: PublishedCalls,
): Tool {
  const { agent, tool } = published;
  return {
    publishedBy: agent.id,
    descriptor: {
      ...names,
      title: tool.name,
      description: tool.description,
      origin: 'published',
      inputSchema: inputSchemaOf(tool),
      ...(tool.output ? { outputSchema: outputSchemaOf(toJsonSchema(tool.output)) } : {}),
      annotations: annotationsOf(tool),
      meta: {
        'anthropic/alwaysLoad': true,
        [DONE_ONCE]: true,
        ...(tool.version === undefined ? {} : { 'agent-zoo/version': tool.version }),
      },
    },
    execute: (args, call) => calls.call(published, args, call),
  };
}

/** MCP's defaults for undeclared annotations, which are the cautious ones. */
function annotationsOf({ annotations = {} }: PublishedTool): ToolDescriptor['annotations'] {
  const { readOnlyHint = false, destructiveHint = !readOnlyHint } = annotations;
  const { idempotentHint = readOnlyHint, openWorldHint = true } = annotations;
  return { readOnlyHint, destructiveHint, idempotentHint, openWorldHint };
}

function inputSchemaOf({ parameters, context }: PublishedTool): Record<string, unknown> {
  const schema = toJsonSchema(parameters);
  const properties = parameters.properties ?? {};
  if (context !== 'shared' || Object.hasOwn(properties, 'contextId')) return schema;
  const description =
    'To continue an earlier conversation with this tool: the contextId of its result. Omit it to start a new one.';
  const own = toJsonSchema({ type: 'object', properties })['properties'];
  return { ...schema, properties: { ...Object(own), contextId: { type: 'string', description } } };
}

/** A call that became a job answers with its id in place of the result. */
function outputSchemaOf(schema: Record<string, unknown>): Record<string, unknown> {
  const { properties, required, ...rest } = schema;
  const jobId = {
    type: 'string',
    description: 'In place of the result: the job that is still working on it.',
  };
  return {
    ...rest,
    properties: { jobId, ...Object(properties) },
    anyOf: [{ required: Array.isArray(required) ? required : [] }, { required: ['jobId'] }],
  };
}
