import { extname } from 'node:path';

export type AgentFormat = 'json' | 'md' | 'toml';

/** Detects the format of standard input by its first characters: JSON, front matter or TOML. */
export function formatOfText(text: string): AgentFormat | undefined {
  const start = text.trimStart();
  if (/^\[\s*[[{"\]]|^\{/.test(start) && !start.startsWith('[[')) return 'json';
  if (start.startsWith('---')) return 'md';
  return /^\[{1,2}[\w."'-]+\]{1,2}|^[\w"'-]+\s*=|^#.*\n/.test(start) ? 'toml' : undefined;
}

/** Detects the format by the file name; undefined if unclear. */
export function formatOf(file: string): AgentFormat | undefined {
  const extension = extname(file).toLowerCase();
  if (extension === '.json') return 'json';
  if (extension === '.toml') return 'toml';
  return extension === '.md' || extension === '.markdown' ? 'md' : undefined;
}
