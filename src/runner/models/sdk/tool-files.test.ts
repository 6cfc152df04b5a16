import { describe, expect, it } from 'vitest';
import { say } from '../../../../test/fake-model/script.ts';
import { type Format, formats, play } from '../../../../test/runs/play-loop.ts';
import type { ContentBlock } from '../../../contract/tool.ts';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const PDF = Buffer.from('%PDF-1.4 of a test').toString('base64');

const picture: ContentBlock = { type: 'image', data: PIXEL, mimeType: 'image/png' };
const blob = (uri: string, mimeType: string, data: string): ContentBlock => ({
  type: 'resource',
  resource: { uri, mimeType, blob: data },
});

/** The body of the request that carries the results of `content`, called twice side by side. */
async function bodyWith(content: ContentBlock[], format: Format, facts: { images?: boolean } = {}) {
  const twice = {
    calls: [
      { tool: 'weather', arguments: { city: 'Oslo' } },
      { tool: 'weather', arguments: { city: 'Rome' } },
    ],
  };
  const { outcome, requests, problems } = await play([twice, say('Seen.')], format, { content }, facts);
  expect({ problems, state: outcome.state }).toEqual({ problems: [], state: 'completed' });
  return requests[1]?.body;
}

describe('an image that a tool returns', () => {
  it('is part of the tool result for Anthropic', async () => {
    expect(await bodyWith([picture], 'anthropic')).toMatchObject({
      messages: [
        {},
        {},
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              content: [
                { type: 'text', text: '[image, image/png, 1 kB; attached]' },
                { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
              ],
            },
            { type: 'tool_result' },
          ],
        },
      ],
    });
  });

  it('is part of the function output for OpenAI', async () => {
    const output = [
      { type: 'input_text', text: '[image, image/png, 1 kB; attached]' },
      { type: 'input_image', image_url: `data:image/png;base64,${PIXEL}` },
    ];
    expect(await bodyWith([picture], 'openai')).toMatchObject({
      input: expect.arrayContaining([
        expect.objectContaining({
          type: 'function_call_output',
          output: output.map((part) => expect.objectContaining(part)),
        }),
      ]),
    });
  });

  it('comes beside exactly one function response per call for Gemini', async () => {
    const body = await bodyWith([{ type: 'text', text: 'Look:' }, picture, picture], 'google');
    const { contents } = Object(body);
    const parts: Record<string, unknown>[] = contents.at(-1).parts;
    expect(parts.filter((part) => 'functionResponse' in part)).toHaveLength(2);
    expect(parts.filter((part) => 'inlineData' in part)).toHaveLength(4);
    expect(parts).toContainEqual({ inlineData: { mimeType: 'image/png', data: PIXEL } });
  });

  it('follows the tool messages of Chat Completions as a message of the user, for a model that sees', async () => {
    const { messages } = Object(await bodyWith([picture], 'ollama', { images: true }));
    expect(messages.slice(-3)).toMatchObject([
      { role: 'tool', content: '[image, image/png, 1 kB; attached]' },
      { role: 'tool', content: '[image, image/png, 1 kB; attached]' },
      {
        role: 'user',
        content: [
          { type: 'text' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
        ],
      },
    ]);
  });

  it.each<[Format, { images?: boolean }]>([
    ['anthropic', { images: false }],
    ['openai', { images: false }],
    ['google', { images: false }],
    ['ollama', { images: false }],
    ['ollama', {}],
  ])('is described to a model of %s that cannot see or is not known to (%o)', async (format, facts) => {
    const body = JSON.stringify(await bodyWith([picture], format, facts));
    expect(body).not.toContain(PIXEL);
    expect(body).toContain('[image, image/png, 1 kB; not shown]');
  });
});

describe('a resource that a tool returns', () => {
  const table: ContentBlock = {
    type: 'resource',
    resource: { uri: 'file:///a.csv', mimeType: 'text/csv', text: 'a,b' },
  };
  const chart = blob('file:///chart.png', 'image/png', PIXEL);
  const report = blob('file:///report.pdf', 'application/pdf', PDF);
  const archive = blob('file:///all.zip', 'application/zip', 'UEsDBA==');

  it.each(Object.keys(formats) as Format[])('is text, or named where %s cannot take it', async (format) => {
    const link: ContentBlock = {
      type: 'resource_link',
      uri: 'zoo://plan',
      name: 'plan',
      description: 'The plan',
    };
    const body = JSON.stringify(await bodyWith([table, archive, link], format));
    expect(body).toContain('a,b');
    expect(body).toContain('[resource file:///all.zip, application/zip, 1 kB; not shown]');
    expect(body).toContain('[resource zoo://plan: The plan]');
  });

  it.each<Format>(['anthropic', 'openai', 'google'])(
    'is handed to %s if it is an image or a PDF',
    async (format) => {
      const body = JSON.stringify(await bodyWith([chart, report], format));
      expect(body).toContain(PIXEL);
      expect(body).toContain(PDF);
      expect(body).toContain('[resource file:///report.pdf, application/pdf, 1 kB; attached]');
    },
  );
});
