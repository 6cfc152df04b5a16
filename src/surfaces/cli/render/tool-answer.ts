import { ContentBlock } from '../../../contract/tool.ts';

/** Content blocks as text, any other value as JSON. */
export function renderToolAnswer(value: unknown): string {
  const blocks = ContentBlock.array().safeParse(value).data;
  if (!blocks || blocks.length === 0) return JSON.stringify(value, null, 2);
  return blocks.map(renderBlock).join('\n');
}

function renderBlock(block: ContentBlock): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'resource_link') return `[${block.name}: ${block.uri}]`;
  if (block.type === 'resource') {
    return 'text' in block.resource ? block.resource.text : `[${block.resource.uri}]`;
  }
  return `[${block.type}, ${block.mimeType}]`;
}
