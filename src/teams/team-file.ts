import { parse as parseToml } from 'smol-toml';
import * as z from 'zod';
import { ZooError } from '../contract/errors.ts';
import { parse } from '../contract/parsing/parse.ts';
import { NewMember } from '../contract/team.ts';
import { messageOf } from '../platform/text/error-message.ts';

const TeamFile = z.strictObject({
  team: z.strictObject({ name: z.string().optional(), member: z.array(NewMember).min(1) }),
});

/** The team that a file describes: `[team]` with its `[[team.member]]`. */
export function parseTeamFile(text: string): { name: string | null; members: NewMember[] } {
  const { team } = parse(TeamFile, readToml(text));
  return { name: team.name ?? null, members: team.member };
}

function readToml(text: string): unknown {
  try {
    return parseToml(text);
  } catch (error) {
    throw new ZooError('invalid_arguments', `The team file is not valid TOML: ${messageOf(error)}`);
  }
}
