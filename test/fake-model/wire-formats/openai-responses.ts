import { z } from 'zod';
import { pieces, usage } from '../wire-format.ts';
import type { Message, ModelReply, OfferedTool, ServerEvent, WireFormat } from '../wire-format.ts';

const Part = z.looseObject({ type: z.string(), text: z.string().optional() });
const Content = z.union([z.string(), z.array(Part)]);
const Said = z.object({
  type: z.literal('message').optional(),
  role: z.enum(['user', 'assistant', 'system', 'developer']),
  content: Content,
});
const Called = z.object({ type: z.literal('function_call'), call_id: z.string(), name: z.string() });
const Returned = z.object({ type: z.literal('function_call_output'), call_id: z.string(), output: Content });
const FunctionTool = z.looseObject({
  type: z.literal('function'),
  name: z.string(),
  description: z.string().default(''),
  parameters: z.unknown().optional(),
});
const NamespaceTool = z.object({
  type: z.literal('namespace'),
  name: z.string(),
  tools: z.array(z.union([FunctionTool, z.looseObject({ type: z.string() })])),
});
const Tool = z.union([FunctionTool, NamespaceTool, z.looseObject({ type: z.string() })]);
const Request = z.object({
  model: z.string(),
  stream: z.boolean().default(false),
  instructions: z.string().default(''),
  input: z.union([z.string(), z.array(z.unknown())]),
  tools: z.array(Tool).default([]),
});

/** OpenAI's Responses API, with the namespaces that Codex offers its MCP tools in. */
export const openaiResponses: WireFormat = {
  name: 'openai-responses',

  matches: (path) => path === '/v1/responses',

  parse(body) {
    const request = Request.parse(body);
    const names = new Map<string, string>();
    const { input } = request;
    return {
      format: this.name,
      model: request.model,
      stream: request.stream,
      system: request.instructions,
      messages:
        typeof input === 'string'
          ? [{ role: 'user', text: input }]
          : input.flatMap((item) => parseItem(item, names)),
      tools: request.tools.flatMap((tool) => parseTool(tool)),
      body,
    };
  },

  render: (reply, { model }) => ({
    ...response(model, 'completed'),
    output: itemsOf(reply),
    usage: {
      input_tokens: usage.input,
      input_tokens_details: null,
      output_tokens: usage.output,
      output_tokens_details: null,
      total_tokens: usage.input + usage.output,
    },
  }),

  renderEvents(reply, request) {
    const events: Record<string, unknown>[] = [
      { type: 'response.created', response: response(request.model, 'in_progress') },
    ];
    for (const [index, item] of itemsOf(reply).entries()) {
      const empty = item.type === 'message' ? { ...item, content: [] } : { ...item, arguments: '' };
      events.push({ type: 'response.output_item.added', output_index: index, item: empty });
      if (item.type === 'message') {
        events.push(
          ...pieces(reply.text).map((delta) => ({
            type: 'response.output_text.delta',
            item_id: item.id,
            output_index: index,
            content_index: 0,
            delta,
          })),
        );
      }
      events.push({ type: 'response.output_item.done', output_index: index, item });
    }
    const whole = this.render(reply, request);
    events.push(
      reply.refused || reply.truncated
        ? { type: 'response.incomplete', response: Object.assign({}, whole, incomplete(reply)) }
        : { type: 'response.completed', response: whole },
    );
    return events.map((data, index): ServerEvent => ({
      event: String(data['type']),
      data: { ...data, sequence_number: index },
    }));
  },

  renderFailure: (status, message) => ({
    error: { type: status === 400 ? 'invalid_request_error' : 'server_error', code: null, message },
  }),
};

const incomplete = ({ refused }: ModelReply) => ({
  status: 'incomplete',
  incomplete_details: { reason: refused ? 'content_filter' : 'max_output_tokens' },
});

function parseItem(item: unknown, names: Map<string, string>): Message[] {
  const said = Said.safeParse(item);
  if (said.success) {
    const role = said.data.role === 'assistant' ? 'assistant' : 'user';
    return [{ role, text: joinText(said.data.content) }];
  }
  const called = Called.safeParse(item);
  if (called.success) names.set(called.data.call_id, called.data.name);
  const returned = Returned.safeParse(item);
  if (!returned.success) return [];
  const { call_id: id, output } = returned.data;
  return [{ role: 'tool', tool: names.get(id) ?? '', text: joinText(output) }];
}

function parseTool(tool: unknown, namespace?: string): OfferedTool[] {
  const group = NamespaceTool.safeParse(tool);
  if (group.success) return group.data.tools.flatMap((each) => parseTool(each, group.data.name));
  const one = FunctionTool.safeParse(tool);
  if (!one.success) return [];
  const { name, description, parameters } = one.data;
  return [{ name, description, schema: parameters, ...(namespace === undefined ? {} : { namespace }) }];
}

function joinText(content: z.infer<typeof Content>): string {
  if (typeof content === 'string') return content;
  return content.flatMap(({ text }) => text ?? []).join('\n');
}

function itemsOf(reply: ModelReply) {
  const message = {
    type: 'message' as const,
    id: 'item_text',
    status: 'completed',
    role: 'assistant',
    content: [{ type: 'output_text', text: reply.text, annotations: [] }],
  };
  return [
    ...(reply.text ? [message] : []),
    ...reply.calls.map(({ id, tool, arguments: args }) => ({
      type: 'function_call' as const,
      id: `item_${id}`,
      status: 'completed',
      call_id: id,
      name: tool.name,
      ...(tool.namespace === undefined ? {} : { namespace: tool.namespace }),
      arguments: JSON.stringify(args),
    })),
  ];
}

function response(model: string, status: 'in_progress' | 'completed') {
  return { id: 'resp_fake', object: 'response', created_at: 0, model, status, output: [], error: null };
}
