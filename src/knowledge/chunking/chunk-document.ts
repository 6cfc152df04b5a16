import { extname } from 'node:path';
import type { CountTokens } from '../../platform/text/token-count.ts';
import type { Chunk, ExtractedDocument } from '../document.ts';
import { isCodeExtension, loadCodeParser } from './code-languages.ts';
import { codeSections } from './code-sections.ts';
import { markdownSections } from './markdown-sections.ts';
import { type ChunkSettings, packSection } from './pack-section.ts';
import type { Block, Section } from './section.ts';
import { skipBlankLines } from './split-lines.ts';

/** Longer documents are split at blank lines: a syntax tree would take too much memory. */
const PARSED_UP_TO = 16 * 1024 * 1024;
const LIKELY_CHARACTERS = 4;

/**
 * Splits a document into chunks that follow its structure, in order. Line numbers are exact, all text that is not blank
 * is in a chunk, and no chunk exceeds `maxTokens`. A block (a fence, a table, a paragraph) that exceeds it is split
 * between lines, preferably at blank or less indented ones; a line that exceeds it, at sentences or words.
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

/** The length of leading blank lines. */
function blankBefore(body: string): number {
  return /^(?:[^\S\n]*\n)*/.exec(body)?.[0].length ?? 0;
}

/** Line numbers of offsets. Offsets mostly ascend, so each search continues from the last one. */
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

/** One section, split at blank lines. */
function textSections(text: string): Section[] {
  return [{ headings: [], from: 0, to: text.length, overlaps: true, blocks: paragraphs(text) }];
}

function* paragraphs(text: string): Generator<Block> {
  const blank = /\n[ \t\r]*\n/g;
  let from = 0;
  for (let found = blank.exec(text); found; found = blank.exec(text)) {
    const to = skipBlankLines(text, found.index + 1, text.length);
    yield { from, to };
    from = to;
    blank.lastIndex = Math.max(to, blank.lastIndex);
  }
  if (from < text.length) yield { from, to: text.length };
}
