import { homedir } from 'node:os';
import type { Harness, HarnessHost } from './harness.ts';
import { findProgram } from '../platform/processes/find-program.ts';
import { outputOf } from './probe-command.ts';

/** `preferred` where it works, otherwise `other`. Both are the same agent, driven in two ways. */
export function firstInstalled(preferred: Harness, other: Harness): Harness {
  const choose = async (host: HarnessHost): Promise<Harness> =>
    (await offersAcp(preferred.command, host)) ? preferred : other;
  return {
    ...preferred,
    missing: async (env, folder) =>
      (await preferred.missing(env, folder)) && (await other.missing(env, folder)),
    probe: async (host) => {
      const chosen = await choose(host);
      const status = await chosen.probe(host);
      return { ...status, command: [...chosen.command] };
    },
    open: async (launch, host) => (await choose(host)).open(launch, host),
  };
}

/** Older builds of a program do not have the subcommand. */
async function offersAcp([program = '', subcommand]: readonly string[], host: HarnessHost): Promise<boolean> {
  const file = await findProgram(program, host.env, homedir());
  if (file === null || subcommand === undefined) return file !== null;
  const help = await outputOf(file, ['--help'], host);
  return help !== null && help.split(/\s+/).includes(subcommand);
}
