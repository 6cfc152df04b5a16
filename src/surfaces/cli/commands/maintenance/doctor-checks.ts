import { existsSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { isAbsolute } from 'node:path';
import { findHub } from '../../../../platform/home/hub-file.ts';
import { homeFiles, zooHome } from '../../../../platform/home/paths.ts';
import { VERSION } from '../../../../platform/home/version.ts';
import { connect } from '../../hub-access/connect-to-hub.ts';
import { unwritableFolder } from '../../hub-access/writable-home.ts';
import type { Invocation } from '../../invocation.ts';
import { describe } from '../../output/failure.ts';
import { countDiagnostics } from '../../render/diagnostics.ts';
import { plural } from '../../render/layout.ts';
import { type Check, fail, ok, warn } from './check-result.ts';

/** Every check runs, whatever the others found. */
export async function checkEverything(call: Invocation): Promise<Check[]> {
  const home = zooHome(call.env);
  const checks: [name: string, check: () => Check | Promise<Check | Check[]>][] = [
    ['node', checkNode],
    ['home', () => checkHome(home)],
    ['token', () => checkToken(home)],
    ['database', () => checkDatabase(home)],
    ['hub', () => checkHub(call, home)],
    ['config', () => checkConfig(call)],
    ['servers', () => checkServers(call)],
    ['sources', () => checkSources(call)],
    ['clients', async () => (await import('./check-connections.ts')).checkConnections(call)],
  ];
  const done: Check[] = [];
  for (const [name, check] of checks) {
    try {
      done.push(...[await check()].flat());
    } catch (error) {
      done.push(fail(name, describe(error).message, 'ZOO_DEBUG=1 shows more'));
    }
  }
  return done;
}

function checkNode(): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const version = `Node.js ${process.versions.node}`;
  return major > 20 || (major === 20 && minor >= 19)
    ? ok('node', version)
    : fail('node', `${version} is too old`, 'install Node.js 20.19 or newer: https://nodejs.org');
}

function checkHome(home: string): Check {
  const found = statSync(home, { throwIfNoEntry: false });
  const refused = unwritableFolder(home);
  if (!found) {
    return refused === null
      ? ok('home', `${home} (created at the first start)`)
      : fail(
          'home',
          `${home} cannot be created: ${refused} is not writable`,
          'set ZOO_HOME to another folder',
        );
  }
  if (!found.isDirectory()) return fail('home', `${home} is not a folder`, 'move it away, or set ZOO_HOME');
  if (refused !== null) {
    return fail('home', `${home} is not writable`, 'give yourself write access to it, or set ZOO_HOME');
  }
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) {
    const mode = (found.mode & 0o777).toString(8);
    return warn('home', `${home} is open to other users (mode ${mode})`, `chmod 700 ${JSON.stringify(home)}`);
  }
  return ok('home', home);
}

function checkToken(home: string): Check {
  const file = homeFiles(home).operatorToken;
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) return ok('token', 'none yet (created at the first start)');
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) {
    const mode = (found.mode & 0o777).toString(8);
    return fail('token', `${file} can be read by others (mode ${mode})`, `chmod 600 ${JSON.stringify(file)}`);
  }
  return ok('token', 'readable by you alone');
}

async function checkDatabase(home: string): Promise<Check> {
  const file = homeFiles(home).database;
  if (!existsSync(file)) return ok('database', 'none yet (created at the first start)');
  const [{ openSqlite }, { migrations }] = await Promise.all([
    import('../../../../platform/store/databases/index.ts'),
    import('../../../../platform/store/migrations/index.ts'),
  ]);
  const db = await openSqlite(file, { threads: false });
  try {
    const problems = await db.check();
    const advice = `restore a backup: zoo restore FILE (see ${homeFiles(home).backups})`;
    if (problems.length > 0) return fail('database', problems.slice(0, 3).join('; '), advice);
    return ok('database', `${file}, intact, schema ${migrations.at(-1)?.id ?? 0}`);
  } finally {
    await db.close();
  }
}

async function checkHub(call: Invocation, home: string): Promise<Check> {
  const hub = findHub(home);
  if (!hub) {
    if (await isPortFree('127.0.0.1', 7331)) return ok('hub', 'not running; port 7331 is free (`zoo serve`)');
    return warn('hub', 'not running, and port 7331 is taken by another program', 'zoo serve --port 7332');
  }
  const connection = await connect({ ...call, config: undefined });
  try {
    const { version } = await connection.client.call('health', {});
    await connection.client.call('status', {});
    if (connection.isOwn()) {
      return fail(
        'hub',
        `pid ${hub.pid} does not respond at ${hub.url}`,
        'stop that process, then `zoo serve`',
      );
    }
    return version === VERSION
      ? ok('hub', `running at ${hub.url} (pid ${hub.pid}, version ${version})`)
      : warn(
          'hub',
          `running at ${hub.url}, version ${version}; this is ${VERSION}`,
          'zoo stop, then zoo serve',
        );
  } finally {
    await connection.close();
  }
}

async function checkConfig(call: Invocation): Promise<Check> {
  const connection = await connect(call);
  try {
    const { diagnostics } = await connection.client.call('listDiagnostics', {});
    const counts = countDiagnostics(diagnostics);
    if (diagnostics.some(({ severity }) => severity === 'error'))
      return fail('config', counts, 'zoo config check');
    return diagnostics.some(({ severity }) => severity === 'warning')
      ? warn('config', counts, 'zoo config check')
      : ok('config', counts === '' ? 'no problems found' : counts);
  } finally {
    await connection.close();
  }
}

/** Connects to every upstream MCP server that may run. */
async function checkServers(call: Invocation): Promise<Check[]> {
  const connection = await connect(call);
  try {
    const { upstreams } = await connection.client.call('checkUpstreams', { body: {} });
    return upstreams.flatMap(({ name, state, error, tools }) => {
      if (state === 'disabled') return [];
      if (state === 'untrusted')
        return [warn(`server ${name}`, 'not approved, so it does not run', 'zoo trust')];
      if (state !== 'failed') return [ok(`server ${name}`, `works, with ${plural(tools ?? 0, 'tool')}`)];
      return [fail(`server ${name}`, error ?? 'failed', `zoo tools status ${name}`)];
    });
  } finally {
    await connection.close();
  }
}

async function checkSources(call: Invocation): Promise<Check[]> {
  const connection = await connect(call);
  try {
    const { sources } = await connection.client.call('listSources', {});
    return sources.map(({ id, location, healthy, last_error: error, documents, configured }) => {
      if (configured && isAbsolute(location) && !existsSync(location)) {
        return fail(`source ${id}`, `${location} does not exist`, 'check its path in the config');
      }
      return healthy || error === null
        ? ok(`source ${id}`, plural(documents, 'document'))
        : warn(`source ${id}`, error, 'zoo sources');
    });
  } finally {
    await connection.close();
  }
}

/** Whether a server could listen there now. */
function isPortFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
