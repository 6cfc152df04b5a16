import type { FileSource, FolderContent } from '../file-source.ts';
import { loadPrograms } from '../programs/program-source.ts';

/** `[agents.module.NAME]`: modules in worker threads. */
export function createTypescriptSource(content: FolderContent): FileSource {
  const { modules } = content.engines;
  return {
    kind: 'typescript',
    load: () =>
      loadPrograms(content, {
        source: 'typescript',
        table: 'module',
        extensions: /\.[cm]?[jt]s$/i,
        memoryMb: 512,
        first: 0,
        open: (file, version) => ({
          describe: async () => ({ ...(await modules.describe({ ...file, version })), texts: null }),
          run: ({ args, ...call }, config) =>
            modules.call({ ...file, version }, { args: [args], config, ...call }),
        }),
      }),
  };
}
