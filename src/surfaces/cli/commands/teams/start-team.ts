import { basename, extname } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import * as z from 'zod';
import { parse } from '../../../../contract/parse.ts';
import { messageOf } from '../../../../platform/text/error-message.ts';
import { NewMember } from '../../../../contract/team.ts';
import { withClient } from '../../hub-access/with-client.ts';
import { type Invocation, print } from '../../invocation.ts';
import { readText } from '../../input/read-text.ts';
import { Failure, wrongUsage } from '../../output/failure.ts';
import { renderTeam } from './teams.ts';

export interface StartTeamOptions {
  name?: string;
  harness?: string;
  agent?: string;
  task?: string;
}

const TeamFile = z.strictObject({
  team: z.strictObject({ name: z.string().optional(), member: z.array(NewMember).min(1) }),
});

export async function startTeam(
  call: Invocation,
  file: string | undefined,
  options: StartTeamOptions,
): Promise<void> {
  const body = file === undefined ? single(options) : await fromFile(call, file, options);
  const team = await withClient(call, (client) => client.call('startTeam', { body }));
  print(
    call,
    team,
    () => `${renderTeam(team, call)}\nFollow it with: zoo team log -f ${team.id.slice(0, 8)}`,
  );
}

function single({ name, harness, agent, task }: StartTeamOptions) {
  if (harness === undefined || task === undefined) {
    throw wrongUsage('zoo team start takes a team file, or --harness and --task');
  }
  const root = { name: 'root', harness, task, ...(agent === undefined ? {} : { agent }) };
  return { ...(name === undefined ? {} : { name }), members: [root] };
}

async function fromFile(call: Invocation, file: string, { name }: StartTeamOptions) {
  const { team } = parse(TeamFile, readToml(file, await readText(call, file)));
  return { name: name ?? team.name ?? basename(file, extname(file)), members: team.member };
}

function readToml(file: string, text: string): unknown {
  try {
    return parseToml(text);
  } catch (error) {
    throw new Failure(`${file} is not valid TOML: ${messageOf(error)}`);
  }
}
