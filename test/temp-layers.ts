import { join } from 'node:path';
import { openSqlite } from '../src/platform/store/databases/sqlite.ts';
import { createSecretMask } from '../src/platform/text/secret-mask.ts';
import { createLayer, type Layer, type LayerOptions } from '../src/registry/layers/layer.ts';
import { noEngines } from './scripts/no-engines.ts';
import { tempFolder } from './temp-folder.ts';

/** For tests: a workspace with these files, a store outside of it, and layers that are closed at the end. */
export async function tempLayers(files: Record<string, string> = {}, defaults: Partial<LayerOptions> = {}) {
  const home = await tempFolder();
  const folder = await tempFolder(files);
  const database = await openSqlite(join(home.path, 'zoo.db'), { threads: false });
  const opened: Layer[] = [];
  return {
    folder,
    database,
    async open(options: Partial<LayerOptions> = {}): Promise<Layer> {
      const layer = await createLayer({
        owner: 'w',
        folder: folder.path,
        configFile: null,
        serving: false,
        database,
        env: { ZOO_CONFIG_DIR: join(home.path, 'config') },
        trustAll: false,
        engines: noEngines,
        secrets: createSecretMask(),
        stored: null,
        entriesToApprove: () => [],
        watch: false,
        ...defaults,
        ...options,
      });
      opened.push(layer);
      return layer;
    },
    async [Symbol.asyncDispose]() {
      for (const layer of opened) await layer.close();
      await database.close();
      await folder[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}
