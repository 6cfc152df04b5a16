import { basename, extname } from 'node:path';
import { withClient } from '../../hub-access/with-client.ts';
import { type Invocation, print } from '../../invocation.ts';
import { readText } from '../../input/read-text.ts';
import { wrongUsage } from '../../output/failure.ts';
import { renderTeam } from './teams.ts';

export interface StartTeamOptions {
  name?: string;
  harness?: string;
  agent?: string;
  task?: string;
}

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
  const text = await readText(call, file);
  const team = await withClient(call, (client) => client.call('readTeamFile', { body: { text } }));
  return { name: name ?? team.name ?? basename(file, extname(file)), members: team.members };
}
