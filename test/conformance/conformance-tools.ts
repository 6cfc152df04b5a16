import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientQuestion, ContentBlock, Tool, ToolCall, ToolResult } from '../../src/contract/tool.ts';

export const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';
const PAUSE_MS = 50;

type Execute = (args: Record<string, unknown>, call: ToolCall) => Promise<ToolResult>;

export const text = (value: string): ContentBlock => ({ type: 'text', text: value });
export const image: ContentBlock = { type: 'image', data: PIXEL, mimeType: 'image/png' };

const answer = (...content: ContentBlock[]): ToolResult => ({ content });
const said = (value: unknown): ToolResult => answer(text(JSON.stringify(value)));

function tool(
  name: string,
  execute: Execute,
  inputSchema: Record<string, unknown> = { type: 'object' },
): Tool {
  return {
    descriptor: {
      name,
      displayName: name,
      title: name,
      description: `What the conformance suite expects of ${name}.`,
      origin: 'script',
      inputSchema,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    execute,
  };
}

/** A tool that asks these questions in one round and says what it was answered. */
const asking = (name: string, questions: Record<string, ClientQuestion>): Tool =>
  tool(name, async (_args, call) => said(await call.ask(questions)));

const taking = (properties: Record<string, unknown>): Record<string, unknown> => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});

export const form = (message: string, properties: Record<string, unknown>): ClientQuestion => ({
  method: 'elicitation/create',
  params: { mode: 'form', message, requestedSchema: taking(properties) },
});
const string = { type: 'string' };
const yourName = form('What is your name?', { name: string });
const confirm = form('Please confirm', { ok: { type: 'boolean' } });
const roots: ClientQuestion = { method: 'roots/list', params: {} };
const sampling = (prompt: string, maxTokens = 100): ClientQuestion => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: prompt } }], maxTokens },
});

const choices = ['option1', 'option2', 'option3'];
const titled = (what: string) =>
  ['First', 'Second', 'Third'].map((nth, index) => ({ const: `value${index + 1}`, title: `${nth} ${what}` }));

const JSON_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: { $anchor: 'addressDef', type: 'object', properties: { street: string, city: string } },
  },
  properties: {
    name: string,
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: string,
    email: string,
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // oxlint-disable-next-line unicorn/no-thenable -- it is a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

/** The tools that the official suite calls. `change` makes a change that clients have to hear of. */
export function conformanceTools(change: () => Promise<void>): Tool[] {
  const trigger: Execute = async () => {
    await change();
    return answer(text('Changed.'));
  };
  const logging: Execute = async (_args, call) => {
    for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      call.log('info', line);
      await sleep(PAUSE_MS);
    }
    return answer(text('Logged.'));
  };
  return [
    tool('test_simple_text', async () => answer(text('This is a simple text response for testing.'))),
    tool('test_image_content', async () => answer(image)),
    tool('test_audio_content', async () => answer({ type: 'audio', data: SILENCE, mimeType: 'audio/wav' })),
    tool('test_embedded_resource', async () =>
      answer(embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')),
    ),
    tool('test_multiple_content_types', async () =>
      answer(
        text('Multiple content types test:'),
        image,
        embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
      ),
    ),
    tool('test_tool_with_logging', logging),
    tool('test_logging_tool', logging),
    tool('test_error_handling', async () => ({
      isError: true,
      content: [text('This tool intentionally returns an error for testing')],
    })),
    tool('test_tool_with_progress', async (_args, call) => {
      for (const done of [0, 50, 100]) {
        call.progress(done, 100);
        await sleep(PAUSE_MS);
      }
      return answer(text('Done.'));
    }),
    tool(
      'test_sampling',
      async ({ prompt }, call) =>
        answer(text(`LLM response: ${JSON.stringify(await call.ask({ it: sampling(String(prompt)) }))}`)),
      taking({ prompt: string }),
    ),
    tool(
      'test_elicitation',
      async ({ message }, call) => {
        const question = form(String(message), {
          username: { type: 'string', description: "User's response" },
          email: { type: 'string', description: "User's email address" },
        });
        return answer(text(`User response: ${JSON.stringify(await call.ask({ it: question }))}`));
      },
      taking({ message: string }),
    ),
    asking('test_elicitation_sep1034_defaults', {
      it: form('Defaults', {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      }),
    }),
    asking('test_elicitation_sep1330_enums', {
      it: form('Choices', {
        untitledSingle: { type: 'string', enum: choices },
        titledSingle: { type: 'string', oneOf: titled('Option') },
        legacyEnum: {
          type: 'string',
          enum: ['opt1', 'opt2', 'opt3'],
          enumNames: ['Option One', 'Option Two', 'Option Three'],
        },
        untitledMulti: { type: 'array', items: { type: 'string', enum: choices } },
        titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
      }),
    }),
    asking('test_streaming_elicitation', { it: confirm }),
    asking('test_missing_capability', { it: sampling('Anything') }),
    asking('test_input_required_result_list_roots', { client_roots: roots }),
    asking('test_input_required_result_sampling', {
      capital_question: sampling('What is the capital of France?'),
    }),
    asking('test_input_required_result_request_state', { confirm }),
    asking('test_input_required_result_tampered_state', { confirm }),
    asking('test_input_required_result_multiple_inputs', {
      user_name: yourName,
      greeting: sampling('Generate a greeting', 50),
      client_roots: roots,
    }),
    asking('test_input_required_result_capabilities', {
      user_name: { ...yourName, optional: true },
      greeting: { ...sampling('Generate a greeting'), optional: true },
    }),
    tool('test_input_required_result_elicitation', async (_args, call) =>
      answer(text(`Hello, ${JSON.stringify(await call.ask({ user_name: yourName }))}!`)),
    ),
    tool('test_input_required_result_multi_round', async (_args, call) => {
      const first = await call.ask({ step1: form('Step 1: What is your name?', { name: string }) });
      const second = await call.ask({
        step2: form('Step 2: What is your favorite color?', { color: string }),
      });
      return said({ ...first, ...second });
    }),
    tool('json_schema_2020_12_tool', async () => answer(text('Fine.')), JSON_SCHEMA),
    tool('test_trigger_tool_change', trigger),
    tool('test_trigger_prompt_change', trigger),
  ];
}

function embedded(uri: string, mimeType: string, value: string): ContentBlock {
  return { type: 'resource', resource: { uri, mimeType, text: value } };
}
