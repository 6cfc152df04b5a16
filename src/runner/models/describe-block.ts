import type { ContentBlock } from '../../contract/tool.ts';

/** A content block in words, for models that cannot take it as it is. */
export function describeBlock(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type}, ${block.mimeType}, ${kilobytes(block.data)}; not shown]`;
    case 'resource_link':
      return `[resource ${block.uri}${block.description ? `: ${block.description}` : ''}]`;
    case 'resource':
    default:
      return 'text' in block.resource
        ? block.resource.text
        : `[resource ${block.resource.uri}, ${block.resource.mimeType ?? 'binary'}, ${kilobytes(block.resource.blob)}; not shown]`;
  }
}

function kilobytes(base64: string): string {
  return `${Math.ceil((base64.length * 3) / 4 / 1024)} kB`;
}
