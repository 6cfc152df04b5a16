import { z } from 'zod';
import { pieces, usage } from '../wire-format.ts';
import type { Message, ModelReply, ServerEvent, WireFormat } from '../wire-format.ts';

const Text = z.object({ type: z.literal('text'), text: z.string() });
const ToolUse = z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string() });
const ToolResult = z.object({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(z.union([Text, z.looseObject({ type: z.string() })]))]).default(''),
});
const Block = z.union([Text, ToolUse, ToolResult, z.looseObject({ type: z.string() })]);
const Request = z.object({
  model: z.string(),
  stream: z.boolean().default(false),
  system: z.union([z.string(), z.array(Text)]).default(''),
  messages: z.array(
    z.object({
      role: z.enum(['user', 'assistant', 'system']),
      content: z.union([z.string(), z.array(Block)]),
    }),
  ),
  tools: z
    .array(
      z.looseObject({
        name: z.string(),
        description: z.string().default(''),
        input_schema: z.unknown().optional(),
      }),
    )
    .default([]),
});
type Content = z.infer<typeof Request>['messages'][number]['content'];

/** Anthropic's Messages API. */
export const anthropicMessages: WireFormat = {
  name: 'anthropic-messages',

  matches: (path) => path === '/v1/messages',

  parse(body) {
    const request = Request.parse(body);
    const names = new Map<string, string>();
    return {
      format: this.name,
      model: request.model,
      stream: request.stream,
      system: joinText(request.system),
      messages: request.messages.flatMap(({ role, content }) =>
        parseContent(role === 'assistant' ? role : 'user', content, names),
      ),
      tools: request.tools.map((tool) => ({
        name: tool.name,
        description: tool.description,
        schema: tool.input_schema,
      })),
      body,
    };
  },

  render: (reply, { model }) => ({
    ...emptyMessage(model),
    content: blocksOf(reply),
    stop_reason: stopReason(reply),
    usage: { input_tokens: usage.input, output_tokens: usage.output },
  }),

  renderEvents(reply, { model }) {
    const events: Record<string, unknown>[] = [{ type: 'message_start', message: emptyMessage(model) }];
    for (const [index, block] of blocksOf(reply).entries()) {
      const { empty, deltas } = inPieces(block);
      events.push({ type: 'content_block_start', index, content_block: empty });
      events.push(...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })));
      events.push({ type: 'content_block_stop', index });
    }
    events.push(
      {
        type: 'message_delta',
        delta: { stop_reason: stopReason(reply), stop_sequence: null },
        usage: { output_tokens: usage.output },
      },
      { type: 'message_stop' },
    );
    return events.map((data): ServerEvent => ({ event: String(data['type']), data }));
  },

  renderFailure: (status, message) => ({
    type: 'error',
    error: { type: status === 400 ? 'invalid_request_error' : 'api_error', message },
  }),
};

function parseContent(role: 'user' | 'assistant', content: Content, names: Map<string, string>): Message[] {
  if (typeof content === 'string') return [{ role, text: content }];
  return content.flatMap((block): Message[] => {
    const text = Text.safeParse(block);
    if (text.success) return [{ role, text: text.data.text }];
    const use = ToolUse.safeParse(block);
    if (use.success) names.set(use.data.id, use.data.name);
    const result = ToolResult.safeParse(block);
    if (!result.success) return [];
    const { tool_use_id: id, content: parts } = result.data;
    return [{ role: 'tool', tool: names.get(id) ?? '', text: joinText(parts) }];
  });
}

function joinText(parts: string | { type: string; text?: unknown }[]): string {
  if (typeof parts === 'string') return parts;
  return parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n');
}

type Block = ReturnType<typeof blocksOf>[number];

/** A block as it starts, and the pieces that complete it. */
function inPieces(block: Block): { empty: Record<string, unknown>; deltas: Record<string, unknown>[] } {
  if (block.type === 'text') {
    const deltas = pieces(block.text).map((text) => ({ type: 'text_delta', text }));
    return { empty: { ...block, text: '' }, deltas };
  }
  if (block.type === 'thinking') {
    const { thinking, signature } = block;
    const deltas = pieces(thinking).map((piece) => ({ type: 'thinking_delta', thinking: piece }));
    return {
      empty: { ...block, thinking: '', signature: '' },
      deltas: [...deltas, { type: 'signature_delta', signature }],
    };
  }
  const json = pieces(JSON.stringify(block.input));
  const deltas = json.map((piece) => ({ type: 'input_json_delta', partial_json: piece }));
  return { empty: { ...block, input: {} }, deltas };
}

function blocksOf(reply: ModelReply) {
  return [
    ...(reply.thought === undefined
      ? []
      : [{ type: 'thinking' as const, thinking: reply.thought, signature: 'signed' }]),
    ...(reply.text ? [{ type: 'text' as const, text: reply.text }] : []),
    ...reply.calls.map((call) => ({
      type: 'tool_use' as const,
      id: call.id,
      name: call.tool.name,
      input: call.arguments,
    })),
  ];
}

function stopReason(reply: ModelReply): string {
  if (reply.refused) return 'refusal';
  if (reply.truncated) return 'max_tokens';
  return reply.calls.length > 0 ? 'tool_use' : 'end_turn';
}

function emptyMessage(model: string) {
  return {
    id: 'msg_fake',
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: usage.input, output_tokens: 0 },
  };
}
