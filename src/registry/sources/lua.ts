import type { FileSource, FolderContent } from '../file-source.ts';
import { loadPrograms } from '../program-source.ts';

/** `[agents.script.NAME]`: scripts in the sandbox. */
export function createLuaSource(content: FolderContent): FileSource {
  const { scripts } = content.runners;
  return {
    kind: 'lua',
    load: () =>
      loadPrograms(content, {
        source: 'lua',
        table: 'script',
        extensions: /\.lua$/i,
        memoryMb: 64,
        first: 1,
        open: (file) => ({
          describe: () => scripts.describe(file),
          run: ({ args, ...call }, config) =>
            scripts.call(file, { function: 'resolve', args: [args, config], config, ...call }),
        }),
      }),
  };
}
