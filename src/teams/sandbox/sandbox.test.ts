import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../../../test/temp-folder.ts';
import { createProcesses } from '../../platform/processes/processes.ts';
import { specOf } from '../play-team.ts';
import type { Member } from '../state/team-state.ts';
import { createAcpHarness } from '../harnesses/index.ts';
import { createConfineMember } from './confine-member.ts';
import { openGateway } from './gateway.ts';
import { type Confinement, createSandbox } from './sandbox.ts';

const works = spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true']).status === 0;

const memberIn = (folder: string, more: Partial<Member> = {}): Member => {
  const { instructions: _, ...spec } = specOf('m');
  return {
    ...spec,
    id: 'm1',
    parent: null,
    depth: 0,
    state: 'idle',
    reason: null,
    session: null,
    turn: null,
    spent: { tokens: 0, usd: 0, turns: 0 },
    result: null,
    sentTo: [],
    bounce: null,
    folder,
    ...more,
  };
};

async function stage(gateway: Confinement['gateway'] = null) {
  const root = await tempFolder();
  const [home, zooHome, folder] = ['home', 'zoo', 'work'].map((name) => join(root.path, name));
  if (!home || !zooHome || !folder) throw new Error('no folders');
  for (const each of [home, zooHome, folder]) mkdirSync(each);
  writeFileSync(join(home, 'secret'), 'of the user');
  writeFileSync(join(home, 'token'), 'of the harness');
  writeFileSync(join(zooHome, 'secret'), 'of the hub');
  const env = { PATH: process.env['PATH'], HOME: home, API_KEY: 'sk-1' };
  const processes = createProcesses(join(zooHome, 'processes'), env);
  const sandbox = createSandbox({ processes, env, zooHome });
  const harness = createAcpHarness({
    name: 'fake',
    command: ['true'],
    env: {},
    readable: ['~/token'],
    hosts: [],
  });
  const confine = createConfineMember({
    processes,
    sandbox,
    isOn: () => true,
    harness: () => harness,
    gateway: async () => gateway,
  });
  return {
    home,
    zooHome,
    folder,
    sandbox,
    /** What a shell of the member prints. */
    async shell(script: string, member: Member = memberIn(folder)): Promise<string> {
      const start = confine(member);
      const child = await start({ command: 'sh', args: ['-c', script], env: { OWN: 'yes' }, cwd: folder });
      let text = '';
      child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
      await child.ended;
      return (text + child.said()).trim();
    },
    async [Symbol.asyncDispose]() {
      await processes.settled();
      await root[Symbol.asyncDispose]();
    },
  };
}

test('a missing bubblewrap is reported with what to do', async () => {
  await using root = await tempFolder();
  const env = { PATH: root.path };
  const processes = createProcesses(join(root.path, 'processes'), env);
  const sandbox = createSandbox({ processes, env, zooHome: root.path });
  expect(await sandbox.missing()).toContain('bubblewrap is not installed');
});

// User namespaces are forbidden in some containers; the arguments of bwrap are tested everywhere.
describe.runIf(works)('in a sandbox of bubblewrap', () => {
  test('the home of the user and the folder of the hub are hidden, but for named credentials', async () => {
    await using at = await stage();
    expect(await at.sandbox.missing()).toBeNull();
    expect(await at.shell(`cat ${at.home}/secret`)).toContain('No such file');
    expect(await at.shell(`cat ${at.zooHome}/secret`)).toContain('No such file');
    expect(await at.shell(`cat ${at.home}/token`)).toBe('of the harness');
    expect(await at.shell(`echo x > ${at.home}/token`)).toMatch(/Read-only|denied/);
  });

  test('a home of its own is kept from one process to the next', async () => {
    await using at = await stage();
    await at.shell('echo kept > ~/session');
    expect(await at.shell('cat ~/session')).toBe('kept');
    expect(await at.shell('ls -a ~')).not.toContain('secret');
  });

  test('only the workspace is writable, and reviewers see it read-only', async () => {
    await using at = await stage();
    expect(await at.shell('echo hello > new && cat new')).toBe('hello');
    expect(await at.shell('echo x > /etc/zoo-test')).toMatch(/Read-only/);
    expect(await at.shell('echo x > /zoo-test')).toMatch(/Read-only/);
    await at.shell('echo x > ../outside');
    expect(existsSync(join(at.folder, '../outside'))).toBe(false);
    const reviewer = memberIn(at.folder, { role: 'reviewer' });
    expect(await at.shell('cat new; echo x > new', reviewer)).toMatch(/hello[\s\S]*Read-only/);
  });

  test('processes, /tmp and the environment are its own', async () => {
    await using at = await stage();
    await using other = await tempFolder();
    expect(await at.shell(`ls ${other.path}`)).toContain('No such file');
    expect(await at.shell('echo /proc/[0-9]*')).not.toContain(`/proc/${process.pid}`);
    const env = (await at.shell('env')).split('\n').map((line) => line.split('=')[0]);
    expect(env).toEqual(expect.arrayContaining(['OWN', 'HOME', 'PATH']));
    expect(env).not.toContain('API_KEY');
    const hosts = await at.shell('readlink /proc/self/ns/pid /proc/self/ns/uts /proc/self/ns/ipc');
    const outside = execFileSync('readlink', ['/proc/self/ns/pid', '/proc/self/ns/uts', '/proc/self/ns/ipc']);
    const shared = new Set(outside.toString().trim().split('\n'));
    expect(hosts.split('\n').filter((name) => shared.has(name))).toEqual([]);
  });

  test('git hooks and settings of the workspace cannot be changed', async () => {
    await using at = await stage();
    execFileSync('git', ['init', '-q', at.folder]);
    expect(await at.shell('echo x >> .git/config')).toMatch(/Read-only/);
    expect(await at.shell('echo x > .git/hooks/post-merge')).toMatch(/Read-only/);
    expect(await at.shell('mv .git/hooks .git/other')).toMatch(/busy/);
    expect(
      await at.shell(
        'git add -A && git -c user.name=a -c user.email=b commit -qm x --allow-empty; git log --oneline | wc -l',
      ),
    ).toBe('1');
  });

  test('a link in place of the workspace, or of its git settings, shows nothing more', async () => {
    await using at = await stage();
    mkdirSync(join(at.home, 'private'));
    writeFileSync(join(at.home, 'private', 'config'), 'secret of the user');
    symlinkSync(join(at.home, 'private'), join(at.folder, '.git'));
    expect(await at.shell('cat .git/config')).not.toContain('secret');
    symlinkSync(at.home, join(at.folder, 'sub'));
    await expect(at.shell('ls', memberIn(join(at.folder, 'sub')))).rejects.toThrow('no longer a folder');
    await expect(at.shell('ls', memberIn(at.home))).rejects.toThrow('contains your home folder');
  });

  test('everything that a member started ends with it', async () => {
    await using at = await stage();
    await at.shell('setsid sleep 4321 & sleep 0.2');
    expect(spawnSync('pgrep', ['-f', 'sleep 4321']).stdout.toString()).toBe('');
  });

  test('without a network, only the hub and the hosts of the harness can be reached', async () => {
    const listen = async (text: string) => {
      const server = createServer((_asked, answer) => answer.end(text)).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      return { server, port: typeof address === 'object' && address ? address.port : 0 };
    };
    const [hub, model, other] = await Promise.all([listen('hub'), listen('model'), listen('other')]);
    await using folder = await tempFolder();
    const gateway = await openGateway(
      join(folder.path, 'g.sock'),
      (_host, port) => port === hub.port || port === model.port,
    );
    await using at = await stage({ path: gateway.path, hub: `127.0.0.1:${hub.port}` });
    const get = (port: number, via: string) =>
      at.shell(
        `'${process.execPath}' -e 'const {request}=require("node:http"); const p=new URL(process.env.HTTP_PROXY); const o=${via}; request(o,(r)=>{r.on("data",(d)=>console.log(r.statusCode+" "+d)); r.on("end",()=>console.log("end "+r.statusCode))}).on("error",(e)=>console.log("failed "+e.code)).end()' ${port}`,
      );
    const direct = (port: number) => get(port, `{host:"127.0.0.1",port:${port}}`);
    const proxied = (port: number) =>
      get(port, `{host:p.hostname,port:p.port,path:"http://127.0.0.1:${port}/"}`);
    expect(await direct(hub.port)).toContain('200 hub');
    expect(await direct(other.port)).toContain('failed ECONNREFUSED');
    expect(await proxied(model.port)).toContain('200 model');
    expect(await proxied(other.port)).toContain('end 403');
    await gateway.close();
    for (const { server } of [hub, model, other]) server.close();
  });
});
