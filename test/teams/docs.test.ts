import { readFileSync } from 'node:fs';
import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { Config } from '../../src/contract/config.ts';
import { NewMember } from '../../src/contract/team.ts';
import { stageTeam } from './team-stage.ts';

const page = readFileSync(new URL('../../docs/teams.md', import.meta.url), 'utf8');
const blocks = [...page.matchAll(/```toml\n([\s\S]*?)```/g)].map(([, text = '']) => text);
const TeamFile = z.object({ team: z.object({ name: z.string(), member: z.array(NewMember) }) });

test('the examples of docs/teams.md work', async () => {
  const [config = '', file = ''] = blocks;
  expect(Config.safeParse(parse(config)).error).toBeUndefined();
  await using stage = await stageTeam();
  const { team } = TeamFile.parse(parse(file.replaceAll('"claude"', '"fake"')));
  const started = await stage.hub.request('POST', '/api/teams', { name: team.name, members: team.member });
  expect(started.status).toBe(201);
  await stage.until('the task', (seen) =>
    seen.some(({ prompt }) => prompt?.includes('Prepare release 1.2.')),
  );
  const shown = await stage.untilTeam('release', ({ members }) =>
    members.every(({ state }) => state === 'idle'),
  );
  expect(shown.members.map(({ name, role, parent }) => [name, role, parent])).toEqual([
    ['lead', 'root', null],
    ['notes', 'reviewer', 'lead'],
  ]);
});
