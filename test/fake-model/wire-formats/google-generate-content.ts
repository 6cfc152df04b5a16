import { z } from 'zod';
import { pieces, usage } from '../wire-format.ts';
import type { Message, ModelReply, WireFormat } from '../wire-format.ts';

const Part = z.looseObject({
  text: z.string().optional(),
  functionResponse: z
    .object({ name: z.string(), response: z.record(z.string(), z.unknown()).default({}) })
    .optional(),
});
const Content = z.object({ role: z.string().default('user'), parts: z.array(Part).default([]) });
const Request = z.object({
  systemInstruction: Content.optional(),
  contents: z.array(Content),
  tools: z
    .array(
      z.looseObject({
        functionDeclarations: z
          .array(
            z.looseObject({
              name: z.string(),
              description: z.string().default(''),
              parameters: z.unknown().optional(),
              parametersJsonSchema: z.unknown().optional(),
            }),
          )
          .default([]),
      }),
    )
    .default([]),
});
const path = /^\/v1(?:beta|alpha)?\/models\/([^/:]+):(generateContent|streamGenerateContent)$/;

/** Google's generateContent, and streamGenerateContent as server-sent events. */
export const googleGenerateContent: WireFormat = {
  name: 'google-generate-content',

  matches: (asked) => path.test(asked),

  parse(body, asked) {
    const request = Request.parse(body);
    const [, model = '', method] = path.exec(asked) ?? [];
    return {
      format: this.name,
      model,
      stream: method === 'streamGenerateContent',
      system: (request.systemInstruction?.parts ?? []).flatMap(({ text }) => text ?? []).join('\n'),
      messages: request.contents.flatMap(parseContent),
      tools: request.tools.flatMap(({ functionDeclarations }) =>
        functionDeclarations.map((tool) => ({
          name: tool.name,
          description: tool.description,
          schema: tool.parametersJsonSchema ?? tool.parameters,
        })),
      ),
      body,
    };
  },

  render: (reply, { model }) =>
    answer(model, [...(reply.text ? [{ text: reply.text }] : []), ...callsOf(reply)], finishOf(reply)),

  renderEvents: (reply, { model }) => [
    ...pieces(reply.text).map((text) => ({ data: answer(model, [{ text }]) })),
    // Calls are never streamed in pieces here, and the last event is the one with a reason.
    { data: answer(model, callsOf(reply), finishOf(reply)) },
  ],

  renderFailure: (status, message) => ({
    error: { code: status, message, status: status === 400 ? 'INVALID_ARGUMENT' : 'INTERNAL' },
  }),
};

function parseContent({ role, parts }: z.infer<typeof Content>): Message[] {
  return parts.flatMap(({ text, functionResponse }): Message[] => {
    if (functionResponse) {
      return [{ role: 'tool', tool: functionResponse.name, text: resultText(functionResponse.response) }];
    }
    return text === undefined ? [] : [{ role: role === 'model' ? 'assistant' : 'user', text }];
  });
}

function resultText(response: Record<string, unknown>): string {
  const { output, error } = response;
  const text = output ?? error ?? response;
  return typeof text === 'string' ? text : JSON.stringify(text);
}

function callsOf(reply: ModelReply) {
  return reply.calls.map(({ id, tool, arguments: args }) => ({
    functionCall: { id, name: tool.name, args },
  }));
}

const finishOf = ({ refused, truncated }: ModelReply): string =>
  refused ? 'SAFETY' : truncated ? 'MAX_TOKENS' : 'STOP';

function answer(model: string, parts: unknown[], finishReason?: string) {
  return {
    candidates: [
      {
        index: 0,
        content: { role: 'model', parts },
        ...(finishReason === undefined ? {} : { finishReason }),
      },
    ],
    modelVersion: model,
    usageMetadata: {
      promptTokenCount: usage.input,
      candidatesTokenCount: usage.output,
      totalTokenCount: usage.input + usage.output,
    },
  };
}
