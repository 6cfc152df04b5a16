import { type TempFolder, tempFolder } from '../temp-folder.ts';
import { type SyncedIndex, syncedIndex } from './synced-index.ts';

interface Stage extends AsyncDisposable {
  docs: TempFolder;
  index: SyncedIndex;
}

export async function stage(
  files: Record<string, string | Uint8Array>,
  config: Record<string, unknown> = {},
): Promise<Stage> {
  const docs = await tempFolder(files);
  const home = await tempFolder();
  const index = syncedIndex(home.path, 'filesystem', docs.path, { root: '.', ...config });
  return {
    docs,
    index,
    async [Symbol.asyncDispose]() {
      await docs[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}
