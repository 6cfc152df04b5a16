import type { ContentBlock } from '@agentclientprotocol/sdk';
import type { UserPart } from '../../contract/run.ts';
import { fence } from '../../platform/text/fence.ts';
import { invalidParams } from './errors.ts';

/** The same limit as over HTTP; files are sent as base64. */
const MAX_BYTES = 16 * 1024 * 1024;

/** A prompt from the editor as a message. Files are fenced: they are data, not instructions. */
export function promptParts(prompt: readonly ContentBlock[]): UserPart[] {
  const parts = prompt.map(toPart);
  const bytes = parts.reduce((sum, part) => sum + (part.type === 'text' ? part.text : part.data).length, 0);
  if (bytes > MAX_BYTES) throw invalidParams(`The prompt is larger than ${MAX_BYTES / 1024 / 1024} MB.`);
  const isEmpty = parts.every((part) => part.type === 'text' && part.text.trim() === '');
  if (isEmpty) throw invalidParams('The prompt is empty.');
  return parts;
}

function toPart(block: ContentBlock): UserPart {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
      return { type: 'file', mediaType: block.mimeType, data: block.data, ...named(block.uri) };
    case 'resource_link':
      return { type: 'text', text: `[${block.title ?? block.name}](${block.uri})` };
    case 'resource': {
      const { resource } = block;
      const { uri, mimeType } = resource;
      return 'text' in resource
        ? { type: 'text', text: fence('file', { uri, type: mimeType ?? undefined }, resource.text) }
        : {
            type: 'file',
            mediaType: mimeType ?? 'application/octet-stream',
            data: resource.blob,
            ...named(uri),
          };
    }
    case 'audio':
      throw invalidParams('Audio is not supported. Send text, images or files.');
    default:
      return unknownBlock(block);
  }
}

function unknownBlock(block: never): never {
  throw invalidParams(`Unsupported content: ${JSON.stringify(block).slice(0, 100)}`);
}

function named(uri: string | null | undefined): { name?: string } {
  const name = uri?.split(/[/\\]/).at(-1);
  return name ? { name } : {};
}

/** A stored message as content for the editor. */
export function partContent(part: UserPart): ContentBlock {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const { mediaType, data, name } = part;
  if (mediaType.startsWith('image/')) return { type: 'image', mimeType: mediaType, data };
  return { type: 'text', text: `[${name ?? 'file'} (${mediaType})]` };
}
