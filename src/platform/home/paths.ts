import { join, resolve } from 'node:path';
import envPaths from 'env-paths';
import { socketPath } from './hub-socket.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The folder that the hub writes to. */
export function zooHome(env: Environment): string {
  return resolve(env.ZOO_HOME ?? envPaths('agent-zoo', { suffix: '' }).data);
}

/** The user's own config directory: trusted, and visible to every workspace. */
export function userConfigFolder(env: Environment): string {
  return resolve(env.ZOO_CONFIG_DIR ?? envPaths('agent-zoo', { suffix: '' }).config);
}

export function homeFiles(home: string) {
  return {
    database: join(home, 'zoo.db'),
    operatorToken: join(home, 'operator-token'),
    serveLock: join(home, 'serve.lock'),
    /** How to reach the hub that serves this home, while it runs. */
    hub: join(home, 'hub.json'),
    /** Where bridges connect to it. */
    socket: socketPath(home),
    /** Names the bridge that is starting a hub. */
    starting: join(home, 'hub.starting'),
    /** Output of a hub that a bridge started, outside of its log, such as why it could not start. */
    startLog: join(home, 'logs', 'hub-start.log'),
    log: join(home, 'logs', 'hub.log'),
    backups: join(home, 'backups'),
    /** Node's compile cache. */
    compiled: join(home, 'compiled'),
    /** The document index: derived data, rebuilt by a sync if missing. */
    knowledge: join(home, 'knowledge', 'index.db'),
    knowledgeLocks: join(home, 'knowledge', 'locks'),
    /** Caches of connectors: clones and pages. */
    knowledgeCache: join(home, 'knowledge', 'cache'),
    /** OAuth tokens of upstream servers. */
    logins: join(home, 'logins'),
    /** Tokens and credentials of A2A push notifications. */
    pushCredentials: join(home, 'push-credentials'),
    /** Values for `${VAR}` in configs, set by `zoo secret`. */
    secrets: join(home, 'secrets'),
    /** Records of running upstream processes, in case the hub is killed. */
    processes: join(home, 'processes'),
  };
}
