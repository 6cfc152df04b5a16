import { expect, test } from 'vitest';
import { bubblewrapArguments, type SandboxView } from './bubblewrap.ts';

const view: SandboxView = {
  folder: '/home/ann/project',
  readOnly: false,
  writable: ['/home/ann/repo/.git'],
  guarded: ['/home/ann/repo/.git/hooks'],
  readable: ['/home/ann/.claude/.credentials.json'],
  privateHome: '/data/zoo/members/m1',
  userHome: '/home/ann',
  zooHome: '/data/zoo',
  hubSocket: '/data/zoo/hub.sock',
  gateway: null,
};
const system = '/usr /bin /sbin /lib /lib32 /lib64 /libx32 /etc /opt /nix /gnu'
  .split(' ')
  .map((path) => `--ro-bind-try ${path} ${path}`)
  .join(' ');
const namespaces = '--unshare-pid --unshare-uts --unshare-ipc --unshare-cgroup-try --die-with-parent';

test('members have namespaces, /tmp and a home of their own, and write to their workspace only', () => {
  expect(bubblewrapArguments(view).join(' ')).toBe(
    [
      namespaces,
      system,
      '--proc /proc --dev /dev --tmpfs /tmp',
      '--bind /data/zoo/members/m1 /home/ann',
      '--ro-bind-try /home/ann/.claude/.credentials.json /home/ann/.claude/.credentials.json',
      '--bind /home/ann/project /home/ann/project',
      '--bind /home/ann/repo/.git /home/ann/repo/.git',
      '--ro-bind-try /home/ann/repo/.git/hooks /home/ann/repo/.git/hooks',
      '--dir /run/zoo --bind-try /data/zoo/hub.sock /run/zoo/hub.sock',
      '--remount-ro / --chdir /home/ann/project --',
    ].join(' '),
  );
});

test('reviewers get everything read-only', () => {
  const args = bubblewrapArguments({ ...view, readOnly: true }).join(' ');
  expect(args).toContain('--ro-bind /home/ann/project /home/ann/project');
  expect(args).toContain('--ro-bind /home/ann/repo/.git /home/ann/repo/.git');
  expect(args.match(/--bind \S+/g)).toEqual(['--bind /data/zoo/members/m1']);
});

test('the folder of the hub is hidden in a workspace that contains it', () => {
  const args = bubblewrapArguments({ ...view, folder: '/data', zooHome: '/data/zoo' }).join(' ');
  expect(args).toContain('--bind /data /data --tmpfs /data/zoo');
});

test('without a network, the gateway is the only way out', () => {
  const args = bubblewrapArguments({ ...view, gateway: '/data/zoo/gateways/m1.sock' }).join(' ');
  expect(args).toContain('--die-with-parent --unshare-net');
  expect(args).toContain('--bind /data/zoo/gateways/m1.sock /run/zoo/gateway.sock');
});
