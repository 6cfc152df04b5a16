import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import envPaths from 'env-paths';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where everything the hub writes lives. */
export function zooHome(env: Environment): string {
  return resolve(env.ZOO_HOME ?? envPaths('agent-zoo', { suffix: '' }).data);
}

/** The user's own config directory: trusted, and visible to every workspace. */
export function userConfigFolder(env: Environment): string {
  return resolve(env.ZOO_CONFIG_DIR ?? envPaths('agent-zoo', { suffix: '' }).config);
}

/** The files of a home, by what they are for. */
export function homeFiles(home: string) {
  return {
    database: join(home, 'zoo.db'),
    operatorToken: join(home, 'operator-token'),
    serveLock: join(home, 'serve.lock'),
    /** How to reach the hub that serves this home, while it runs. */
    hub: join(home, 'hub.json'),
    log: join(home, 'logs', 'hub.log'),
    backups: join(home, 'backups'),
  };
}

/** A worker's built file; the same from the bundle and from the sources. */
export function workerFile(name: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('package.json of agent-zoo not found');
    folder = parent;
  }
  return join(folder, 'dist', 'workers', `${name}.js`);
}
