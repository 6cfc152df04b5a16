import { join, resolve } from 'node:path';
import envPaths from 'env-paths';
import { socketPath } from './hub-socket.ts';

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
    /** Where bridges connect to it. */
    socket: socketPath(home),
    /** Which bridge is about to start a hub, for as long as it takes. */
    starting: join(home, 'hub.starting'),
    /** What a hub that a bridge started says outside of its log: why it could not start, say. */
    startLog: join(home, 'logs', 'hub-start.log'),
    log: join(home, 'logs', 'hub.log'),
    backups: join(home, 'backups'),
    /** What commands have compiled. */
    compiled: join(home, 'compiled'),
    /** The index of documents: derived, and built anew by a sync where it is lost. */
    knowledge: join(home, 'knowledge', 'index.db'),
    knowledgeLocks: join(home, 'knowledge', 'locks'),
    /** What connectors keep of what they fetch: clones, pages. */
    knowledgeCache: join(home, 'knowledge', 'cache'),
    /** Tokens for upstream servers that the user has signed in at. */
    logins: join(home, 'logins'),
    /** Values for `${VAR}` in configs, set by `zoo secret`. */
    secrets: join(home, 'secrets'),
    /** Which processes of upstream servers run, for the case that the hub is killed. */
    processes: join(home, 'processes'),
  };
}
