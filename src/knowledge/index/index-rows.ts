import type { ConnectorType } from '../../contract/knowledge.ts';
import type { Chunk } from '../document.ts';
import type { IndexRow } from './index-connection.ts';

/** Parses JSON that the index writer has stored. */
export function storedHeadings(column: IndexRow[string] | undefined): string[] {
  const value: unknown = JSON.parse(String(column));
  return Array.isArray(value) ? value.map(String) : [];
}

/** Parses a list made by `json_group_array`. */
export function storedNumbers(column: IndexRow[string] | undefined): number[] {
  const value: unknown = JSON.parse(String(column ?? '[]'));
  if (isNumbers(value)) return value;
  return Array.isArray(value) ? value.map(Number) : [];
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'number');
}

export function storedMetadata(column: IndexRow[string] | undefined): Record<string, unknown> {
  const value: unknown = JSON.parse(String(column));
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

export function chunkOf({ headings, body, tokens, line_start, line_end }: IndexRow): Chunk {
  return {
    headings: storedHeadings(headings),
    body: String(body),
    tokens: Number(tokens),
    lineStart: Number(line_start),
    lineEnd: Number(line_end),
  };
}

/** Parsed by hand, so that the threads start without a schema library. */
export function connectorType(column: IndexRow[string] | undefined): ConnectorType {
  if (column === 'filesystem' || column === 'git' || column === 'web' || column === 'script') return column;
  throw new Error(`no connector is called ${String(column)}`);
}
