import type { AST } from 'toml-eslint-parser';
import type { KeyPath } from '../../contract/parsing/known-keys.ts';

export type LineOf = (path: KeyPath) => number | null;

const keyOf = (path: KeyPath) => path.map(String).join('\0');

/**
 * Finds the line of each key in a TOML text. A missing key gets the line of its table. The parser with line numbers
 * is slower, so it is loaded only when needed.
 */
export async function locateLines(text: string): Promise<LineOf> {
  const lines = new Map<string, number>();
  const note = (path: KeyPath, line: number) => {
    const key = keyOf(path);
    if (!lines.has(key)) lines.set(key, line);
  };

  const notePair = (base: KeyPath, pair: AST.TOMLKeyValue) => {
    let path = base;
    for (const key of pair.key.keys) {
      path = [...path, key.type === 'TOMLBare' ? key.name : key.value];
      note(path, key.loc.start.line);
    }
    noteValue(path, pair.value);
  };

  const noteValue = (path: KeyPath, value: AST.TOMLContentNode) => {
    if (value.type === 'TOMLInlineTable') {
      for (const pair of value.body) notePair(path, pair);
    }
    if (value.type === 'TOMLArray') {
      value.elements.forEach((element, index) => {
        note([...path, index], element.loc.start.line);
        noteValue([...path, index], element);
      });
    }
  };

  const { parseTOML } = await import('toml-eslint-parser');
  const tables: { path: KeyPath; line: number }[] = [];
  try {
    for (const item of parseTOML(text, { tomlVersion: 'latest' }).body[0].body) {
      if (item.type === 'TOMLKeyValue') {
        notePair([], item);
        continue;
      }
      note(item.resolvedKey, item.loc.start.line);
      tables.push({ path: item.resolvedKey, line: item.loc.start.line });
      for (const pair of item.body) notePair(item.resolvedKey, pair);
    }
  } catch {
    return () => null;
  }
  // An implicit table gets the line of its first child.
  for (const { path, line } of tables) {
    for (let length = 1; length < path.length; length++) note(path.slice(0, length), line);
  }

  return (path) => {
    for (let length = path.length; length > 0; length--) {
      const line = lines.get(keyOf(path.slice(0, length)));
      if (line !== undefined) return line;
    }
    return null;
  };
}
