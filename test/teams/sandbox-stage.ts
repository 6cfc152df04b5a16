import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProcesses } from '../../src/platform/processes/processes.ts';
import { createAcpHarness } from '../../src/teams/harnesses/index.ts';
import { specOf } from '../../src/teams/play-team.ts';
import { createConfineMember } from '../../src/teams/sandbox/confine-member.ts';
import { type Confinement, createSandbox } from '../../src/teams/sandbox/sandbox.ts';
import type { Member } from '../../src/teams/state/team-state.ts';
import { tempFolder } from '../temp-folder.ts';

export const memberIn = (folder: string, more: Partial<Member> = {}): Member => {
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

/** A home, a folder of the hub and a workspace, and shells of a member in it. */
export async function stage(gateway: Confinement['gateway'] = null) {
  const root = await tempFolder();
  const [home, zooHome, folder] = ['home', 'zoo', 'work'].map((name) => join(root.path, name));
  if (!home || !zooHome || !folder) throw new Error('no folders');
  for (const each of [home, zooHome, folder]) mkdirSync(each);
  writeFileSync(join(home, 'secret'), 'of the user');
  writeFileSync(join(home, 'token'), 'of the harness');
  writeFileSync(join(zooHome, 'secret'), 'of the hub');
  const env = { PATH: process.env['PATH'], HOME: home, API_KEY: 'sk-1' };
  const processes = createProcesses(join(zooHome, 'processes'), env);
  const sandbox = createSandbox({
    processes,
    env,
    zooHome,
    hubSocket: join(zooHome, 'hub.sock'),
    hubProgram: process.execPath,
  });
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
