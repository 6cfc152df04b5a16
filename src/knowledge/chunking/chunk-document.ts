import { extname } from 'node:path';
import type { CountTokens } from '../../platform/text/token-count.ts';
import type { Chunk, ExtractedDocument } from '../document.ts';
import { isCodeExtension, loadCodeParser } from './code-languages.ts';
import { codeSections } from './code-sections.ts';
import { markdownSections } from './markdown-sections.ts';
import { type ChunkSettings, packSection } from './pack-section.ts';
import type { Section } from './section.ts';
import { textSections } from './text-sections.ts';

/** Beyond this a tree of the document would take more memory than it is worth: it is cut at blank lines. */
const PARSED_UP_TO = 16 * 1024 * 1024;
const LIKELY_CHARACTERS = 4;

/**
 * A document in pieces that follow its structure, in order. Lines are exact, everything that is not blank is in one
 * of them, and none has more than `maxTokens`. A block (a fence, a table, a paragraph) that alone has more is cut
 * between its lines, at blank and less indented ones first; a line that alone has more, at sentences or words.
 */
export async function chunkDocument(
  document: Pick<ExtractedDocument, 'text' | 'mimeType'>,
  path: string,
  settings: ChunkSettings,
  count: CountTokens,
): Promise<Chunk[]> {
  const { text } = document;
  const chunks: Chunk[] = [];
  const lines = createLineCounter(text);
  for (const section of await sectionsOf(document, path, settings)) {
    for (const packed of packSection(text, section, settings, count)) {
      const body = text.slice(packed.from, packed.to);
      const from = packed.from + blankBefore(body);
      const trimmed = text.slice(from, packed.to).trimEnd();
      if (trimmed === '') continue;
      const lineStart = lines.at(from);
      const lineEnd = lines.at(from + trimmed.length);
      chunks.push({ headings: section.headings, body: trimmed, tokens: packed.tokens, lineStart, lineEnd });
    }
  }
  return chunks;
}

async function sectionsOf(
  { text, mimeType }: Pick<ExtractedDocument, 'text' | 'mimeType'>,
  path: string,
  { maxTokens }: ChunkSettings,
): Promise<Section[]> {
  const extension = extname(path).slice(1).toLowerCase();
  if (text.length > PARSED_UP_TO) return textSections(text);
  if (mimeType === 'text/markdown') return markdownSections(text);
  if (!isCodeExtension(extension)) return textSections(text);
  return codeSections(text, await loadCodeParser(extension), maxTokens * LIKELY_CHARACTERS);
}

/** The length of the blank lines that a text begins with. */
function blankBefore(body: string): number {
  return /^(?:[^\S\n]*\n)*/.exec(body)?.[0].length ?? 0;
}

/** The line that an offset is in. Offsets mostly go up, so it goes on from the last one. */
function createLineCounter(text: string): { at(offset: number): number } {
  let line = 1;
  let start = 0;
  let end = lineEnd(text, 0);
  return {
    at(offset) {
      while (offset < start) {
        line--;
        end = start - 1;
        start = line === 1 ? 0 : text.lastIndexOf('\n', start - 2) + 1;
      }
      while (end < offset) {
        line++;
        start = end + 1;
        end = lineEnd(text, start);
      }
      return line;
    },
  };
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}
