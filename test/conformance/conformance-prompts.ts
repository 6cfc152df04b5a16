import type { PromptDescriptor, PromptProvider, PromptResult } from '../../src/contract/offers/prompt.ts';
import type { ResourceProvider } from '../../src/contract/offers/resource.ts';
import type { ContentBlock, ToolCall } from '../../src/contract/tool.ts';
import { form, image, PIXEL, text } from './conformance-tools.ts';

type Get = (args: Readonly<Record<string, string>>, call: ToolCall) => Promise<ContentBlock[]>;

const PROMPTS: Record<string, { takes: string[]; get: Get }> = {
  test_simple_prompt: { takes: [], get: async () => [text('This is a simple prompt for testing.')] },
  test_prompt_with_arguments: {
    takes: ['arg1', 'arg2'],
    get: async ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  test_prompt_with_embedded_resource: {
    takes: ['resourceUri'],
    get: async ({ resourceUri = '' }) => [
      {
        type: 'resource',
        resource: {
          uri: resourceUri,
          mimeType: 'text/plain',
          text: 'Embedded resource content for testing.',
        },
      },
      text('Please process the embedded resource above.'),
    ],
  },
  test_prompt_with_image: {
    takes: [],
    get: async () => [image, text('Please analyze the image above.')],
  },
  test_input_required_result_prompt: {
    takes: [],
    get: async (_args, call) => {
      const question = form('What context should the prompt use?', { context: { type: 'string' } });
      return [text(JSON.stringify(await call.ask({ user_context: question })))];
    },
  },
};

/** The prompts that the official suite asks for. */
export const conformancePrompts: PromptProvider = {
  list: async () =>
    Object.entries(PROMPTS).map(([name, { takes }]): PromptDescriptor => ({
      name,
      title: name,
      description: `What the conformance suite expects of ${name}.`,
      arguments: takes.map((each) => ({ name: each, description: each, required: true })),
    })),
  async get(name, args, call): Promise<PromptResult | null> {
    const content = await PROMPTS[name]?.get(args, call);
    return content ? { messages: content.map((each) => ({ role: 'user', content: each })) } : null;
  },
  complete: async (name, { value }) =>
    name in PROMPTS ? ['paris', 'park', 'party', 'test'].filter((each) => each.startsWith(value)) : null,
};

const described = (uri: string, mimeType: string) => ({
  uri,
  name: uri,
  title: uri,
  description: `What the conformance suite expects of ${uri}.`,
  mimeType,
});
const TEMPLATE = 'test://template/{id}/data';

/** The resources that the official suite reads. */
export const conformanceResources: ResourceProvider = {
  list: async () => [
    described('test://static-text', 'text/plain'),
    described('test://static-binary', 'image/png'),
    described('test://watched-resource', 'text/plain'),
  ],
  templates: async () => {
    const { uri, ...rest } = described(TEMPLATE, 'application/json');
    return [{ uriTemplate: uri, ...rest }];
  },
  async read(uri) {
    if (uri === 'test://static-binary') return [{ uri, mimeType: 'image/png', blob: PIXEL }];
    if (uri === 'test://static-text' || uri === 'test://watched-resource') {
      return [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }];
    }
    const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
    if (id === undefined) return null;
    const data = { id, templateTest: true, data: `Data for ID: ${id}` };
    return [{ uri, mimeType: 'application/json', text: JSON.stringify(data) }];
  },
  complete: async () => null,
};
