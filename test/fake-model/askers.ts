/** The least a client of each vendor sends, and what it reads from the answer: written without the fake's own code. */
export interface Asker {
  format: string;
  path(stream: boolean): string;
  /** A question with one tool on offer; `after` has the result of a first call of it in its history. */
  body(options: { stream: boolean; tools?: boolean; after?: string }): unknown;
  /** Text and calls of a whole answer. */
  read(answer: unknown): Read;
  /** The same, put together from the events. */
  readEvents(events: unknown[]): Read;
}

export interface Read {
  text: string;
  calls: { name: string; arguments: unknown }[];
}

const description = 'Finds birds';
const schema = { type: 'object', properties: { kind: { type: 'string' } } };

const anthropic: Asker = {
  format: 'anthropic-messages',
  path: () => '/v1/messages?beta=true',
  body: ({ stream, tools, after }) => ({
    model: 'm',
    stream,
    max_tokens: 9,
    system: [{ type: 'text', text: 'Be brief.' }],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Which owls?' }] },
      ...(after === undefined
        ? []
        : [
            {
              role: 'assistant',
              content: [{ type: 'tool_use', id: 't1', name: 'mcp__zoo__find', input: {} }],
            },
            { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: after }] },
          ]),
    ],
    ...(tools ? { tools: [{ name: 'mcp__zoo__find', description, input_schema: schema }] } : {}),
  }),
  read: (answer) => readBlocks((answer as { content: Block[] }).content),
  readEvents(events) {
    const blocks: { type: string; text: string; name: string; json: string }[] = [];
    for (const event of events as BlockEvent[]) {
      if (event.type === 'content_block_start') blocks[event.index] = { ...event.content_block, json: '' };
      if (event.type !== 'content_block_delta') continue;
      const block = blocks[event.index]!;
      block.text += event.delta.text ?? '';
      block.json += event.delta.partial_json ?? '';
    }
    return readBlocks(
      blocks.map((block) => (block.json ? { ...block, input: JSON.parse(block.json) } : block)),
    );
  },
};

const responses: Asker = {
  format: 'openai-responses',
  path: () => '/v1/responses',
  body: ({ stream, tools, after }) => ({
    model: 'm',
    stream,
    instructions: 'Be brief.',
    input: [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Which owls?' }] },
      ...(after === undefined
        ? []
        : [
            { type: 'function_call', call_id: 'c1', name: 'find', namespace: 'mcp__zoo', arguments: '{}' },
            { type: 'function_call_output', call_id: 'c1', output: after },
          ]),
    ],
    ...(tools
      ? {
          tools: [
            { type: 'web_search' },
            {
              type: 'namespace',
              name: 'mcp__zoo',
              tools: [{ type: 'function', name: 'find', description, parameters: schema }],
            },
          ],
        }
      : {}),
  }),
  read: (answer) => readItems((answer as { output: Item[] }).output),
  readEvents: (events) =>
    readItems(
      (events as ItemEvent[]).flatMap(({ type, item }) => (type === 'response.output_item.done' ? item : [])),
      (events as ItemEvent[])
        .flatMap(({ type, delta }) => (type === 'response.output_text.delta' ? delta : []))
        .join(''),
    ),
};

const chat: Asker = {
  format: 'openai-chat',
  path: () => '/v1/chat/completions',
  body: ({ stream, tools, after }) => ({
    model: 'm',
    stream,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Which owls?' },
      ...(after === undefined
        ? []
        : [
            {
              role: 'assistant',
              content: '',
              tool_calls: [{ id: 'c1', type: 'function', function: { name: 'zoo_find', arguments: '{}' } }],
            },
            { role: 'tool', tool_call_id: 'c1', content: after },
          ]),
    ],
    ...(tools
      ? { tools: [{ type: 'function', function: { name: 'zoo_find', description, parameters: schema } }] }
      : {}),
  }),
  read(answer) {
    const [choice] = (answer as { choices: { message: Chatted }[] }).choices;
    return {
      text: choice?.message.content ?? '',
      calls: (choice?.message.tool_calls ?? []).map(readFunction),
    };
  },
  readEvents(events) {
    const choices = (events as { choices: { delta: Chatted }[] }[]).flatMap((event) => event.choices);
    const deltas = choices.map(({ delta }) => delta);
    const calls: ChatCall[] = [];
    for (const part of deltas.flatMap(({ tool_calls: parts }) => parts ?? [])) {
      if (part.id) calls[part.index] = part;
      else calls[part.index]!.function.arguments += part.function.arguments;
    }
    return { text: deltas.map(({ content }) => content ?? '').join(''), calls: calls.map(readFunction) };
  },
};

const google: Asker = {
  format: 'google-generate-content',
  path: (stream) => `/v1beta/models/m:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  body: ({ tools, after }) => ({
    systemInstruction: { role: 'user', parts: [{ text: 'Be brief.' }] },
    contents: [
      { role: 'user', parts: [{ text: 'Which owls?' }] },
      ...(after === undefined
        ? []
        : [
            { role: 'model', parts: [{ functionCall: { name: 'mcp_zoo_find', args: {} } }] },
            {
              role: 'user',
              parts: [{ functionResponse: { name: 'mcp_zoo_find', response: { output: after } } }],
            },
          ]),
    ],
    ...(tools
      ? {
          tools: [
            {
              functionDeclarations: [{ name: 'mcp_zoo_find', description, parametersJsonSchema: schema }],
            },
          ],
        }
      : {}),
  }),
  read: (answer) => readParts([answer as Candidates]),
  readEvents: (events) => readParts(events as Candidates[]),
};

export const askers = [anthropic, responses, chat, google];

interface Block {
  type: string;
  text?: string;
  name?: string;
  input?: unknown;
}

interface BlockEvent {
  type: string;
  index: number;
  content_block: { type: string; text: string; name: string };
  delta: { text?: string; partial_json?: string };
}

function readBlocks(blocks: Block[]): Read {
  return {
    text: blocks.flatMap(({ type, text }) => (type === 'text' ? (text ?? '') : [])).join(''),
    calls: blocks.flatMap(({ type, name = '', input }) =>
      type === 'tool_use' ? [{ name, arguments: input }] : [],
    ),
  };
}

interface Item {
  type: string;
  name: string;
  namespace: string;
  arguments: string;
  content: { text: string }[];
}

interface ItemEvent {
  type: string;
  item: Item;
  delta: string;
}

function readItems(items: Item[], streamed?: string): Read {
  const whole = items.flatMap(({ type, content }) =>
    type === 'message' ? content.map(({ text }) => text) : [],
  );
  return {
    text: streamed ?? whole.join(''),
    calls: items.flatMap(({ type, namespace, name, arguments: json }) =>
      type === 'function_call' ? [{ name: `${namespace}__${name}`, arguments: JSON.parse(json) }] : [],
    ),
  };
}

interface ChatCall {
  index: number;
  id?: string;
  function: { name: string; arguments: string };
}

interface Chatted {
  content?: string | null;
  tool_calls?: ChatCall[];
}

function readFunction({ function: { name, arguments: json } }: ChatCall) {
  return { name, arguments: JSON.parse(json) };
}

interface Candidates {
  candidates: { content: { parts: { text?: string; functionCall?: { name: string; args: unknown } }[] } }[];
}

function readParts(answers: Candidates[]): Read {
  const parts = answers.flatMap(({ candidates }) => candidates.flatMap(({ content }) => content.parts));
  return {
    text: parts.map(({ text }) => text ?? '').join(''),
    calls: parts.flatMap(({ functionCall: call }) =>
      call ? [{ name: call.name, arguments: call.args }] : [],
    ),
  };
}
