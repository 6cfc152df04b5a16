import { z } from 'zod';
import { pieces, usage } from '../wire-format.ts';
import type { Message, ModelReply, WireFormat } from '../wire-format.ts';

const Content = z.union([
  z.string(),
  z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
  z.null(),
]);
const Request = z.object({
  model: z.string(),
  stream: z.boolean().default(false),
  messages: z.array(
    z.object({
      role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
      content: Content.default(null),
      tool_call_id: z.string().optional(),
      tool_calls: z.array(z.object({ id: z.string(), function: z.object({ name: z.string() }) })).default([]),
    }),
  ),
  tools: z
    .array(
      z.object({
        type: z.literal('function'),
        function: z.object({
          name: z.string(),
          description: z.string().default(''),
          parameters: z.unknown().optional(),
        }),
      }),
    )
    .default([]),
});

/** OpenAI's Chat Completions API, which most other vendors and local servers speak too. */
export const openaiChat: WireFormat = {
  name: 'openai-chat',

  matches: (path) => path === '/v1/chat/completions',

  parse(body) {
    const request = Request.parse(body);
    const names = new Map<string, string>();
    const system: string[] = [];
    const messages = request.messages.flatMap((message): Message[] => {
      const text = joinText(message.content);
      for (const call of message.tool_calls) names.set(call.id, call.function.name);
      if (message.role === 'tool') {
        return [{ role: 'tool', tool: names.get(message.tool_call_id ?? '') ?? '', text }];
      }
      if (message.role === 'user' || message.role === 'assistant') {
        return text === '' ? [] : [{ role: message.role, text }];
      }
      system.push(text);
      return [];
    });
    return {
      format: this.name,
      model: request.model,
      stream: request.stream,
      system: system.join('\n'),
      messages,
      tools: request.tools.map(({ function: { name, description, parameters } }) => ({
        name,
        description,
        schema: parameters,
      })),
      body,
    };
  },

  render: (reply, { model }) => ({
    ...completion(model, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: reply.text || null,
          ...(reply.calls.length > 0 ? { tool_calls: callsOf(reply) } : {}),
        },
        finish_reason: finishReason(reply),
      },
    ],
    usage: tokens,
  }),

  renderEvents(reply, { model }) {
    const chunk = (delta: unknown, finish: string | null = null) => ({
      data: {
        ...completion(model, 'chat.completion.chunk'),
        choices: [{ index: 0, delta, finish_reason: finish }],
      },
    });
    return [
      chunk({ role: 'assistant', content: '' }),
      ...pieces(reply.text).map((content) => chunk({ content })),
      ...callsOf(reply).flatMap(({ function: { name, arguments: json }, ...call }, index) => [
        chunk({ tool_calls: [{ ...call, index, function: { name, arguments: '' } }] }),
        ...pieces(json).map((part) => chunk({ tool_calls: [{ index, function: { arguments: part } }] })),
      ]),
      chunk({}, finishReason(reply)),
      { data: { ...completion(model, 'chat.completion.chunk'), choices: [], usage: tokens } },
      { data: '[DONE]' },
    ];
  },

  renderFailure: (status, message) => ({
    error: { type: status === 400 ? 'invalid_request_error' : 'server_error', code: null, message },
  }),
};

const tokens = {
  prompt_tokens: usage.input,
  completion_tokens: usage.output,
  total_tokens: usage.input + usage.output,
};

function joinText(content: z.infer<typeof Content>): string {
  if (content === null || typeof content === 'string') return content ?? '';
  return content.flatMap(({ text }) => text ?? []).join('\n');
}

function callsOf(reply: ModelReply) {
  return reply.calls.map(({ id, tool, arguments: args }) => ({
    id,
    type: 'function',
    function: { name: tool.name, arguments: JSON.stringify(args) },
  }));
}

function finishReason(reply: ModelReply): string {
  if (reply.refused) return 'content_filter';
  if (reply.truncated) return 'length';
  return reply.calls.length > 0 ? 'tool_calls' : 'stop';
}

function completion(model: string, object: string) {
  return { id: 'chatcmpl-fake', object, created: 0, model };
}
