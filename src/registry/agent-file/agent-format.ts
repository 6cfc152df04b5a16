import { extname } from 'node:path';

export type AgentFormat = 'json' | 'md' | 'toml';

/** By the name of the file; undefined if unclear. */
export function formatOf(file: string): AgentFormat | undefined {
  const extension = extname(file).toLowerCase();
  if (extension === '.json') return 'json';
  if (extension === '.toml') return 'toml';
  return extension === '.md' || extension === '.markdown' ? 'md' : undefined;
}
