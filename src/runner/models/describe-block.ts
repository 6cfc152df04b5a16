import type { ToolResultPart, UserPart } from '../../contract/run.ts';
import type { ContentBlock } from '../../contract/tool.ts';

const TEXT_TYPE = /^(text\/|application\/(json|xml|yaml|toml|javascript|x-sh|.*\+(json|xml)$))/;

/** A content block in words. `isShown`: the model also gets the file itself. */
export function describeBlock(block: ContentBlock, { isShown = false } = {}): string {
  const end = isShown ? 'attached' : 'not shown';
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type}, ${block.mimeType}, ${kilobytes(block.data)}; ${end}]`;
    case 'resource_link':
      return `[resource ${block.uri}${block.description ? `: ${block.description}` : ''}]`;
    case 'resource':
    default:
      return 'text' in block.resource
        ? block.resource.text
        : `[resource ${block.resource.uri}, ${block.resource.mimeType ?? 'binary'}, ${kilobytes(block.resource.blob)}; ${end}]`;
  }
}

/** Tells that a person changed the call; empty if nobody did. */
export function describeEdit({ editedArguments }: ToolResultPart): string {
  if (!editedArguments) return '';
  return `[The user changed the arguments of this call to ${JSON.stringify(editedArguments)}]\n`;
}

/** A file in words: its text where it has one. Few providers take anything but pictures and PDF. */
export function describeFile({ mediaType, data, name }: Extract<UserPart, { type: 'file' }>): string {
  const title = name ?? mediaType;
  if (!TEXT_TYPE.test(mediaType)) return `[file ${title}, ${mediaType}, ${kilobytes(data)}; not shown]`;
  return `[file ${title}]\n${Buffer.from(data, 'base64').toString('utf8')}\n[end of ${title}]`;
}

/** A file that a tool returned. */
export interface BlockFile {
  data: string;
  mediaType: string;
}

/** The image or PDF in a block; null for everything that models read as text. */
export function fileOf(block: ContentBlock): BlockFile | null {
  if (block.type === 'image') return { data: block.data, mediaType: block.mimeType };
  if (block.type !== 'resource' || !('blob' in block.resource)) return null;
  const { blob, mimeType = '' } = block.resource;
  const isFile = mimeType.startsWith('image/') || mimeType === 'application/pdf';
  return isFile ? { data: blob, mediaType: mimeType } : null;
}

function kilobytes(base64: string): string {
  return `${Math.ceil((base64.length * 3) / 4 / 1024)} kB`;
}
