import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { CACHE } from './identity.ts';
import { answering, contextOf, page, type Served } from './served.ts';

export const SKILLS_EXTENSION = 'io.modelcontextprotocol/skills';

const ListParams = z.looseObject({ cursor: z.string().optional() });
const GetParams = z.looseObject({ uri: z.string() });

/**
 * Skills over MCP (SEP-2640). The SDK's extension needs its high-level server, which we do not use. Prompts are
 * rendered when they are read, so the files of a skill have no digests: they are `dynamic`.
 */
export function serveSkills(served: Served): void {
  const { server, hub, era } = served;
  const cache = era === 'modern' ? CACHE : {};
  const all = async (ctx: Parameters<typeof contextOf>[1]) =>
    (await hub.offers.skills(contextOf(served, ctx))).map((skill) => ({ ...skill, resources: 'dynamic' }));

  server.setRequestHandler('skills/list', { params: ListParams }, ({ cursor }, ctx) =>
    answering(served, 'skills/list', async () => {
      const { items, ...rest } = page(await all(ctx), cursor);
      return { skills: items, ...rest, ...cache };
    }),
  );
  server.setRequestHandler('skills/get', { params: GetParams }, ({ uri }, ctx) =>
    answering(served, 'skills/get', async () => {
      const skill = (await all(ctx)).find((each) => each.uri === uri);
      if (!skill) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Skill ${uri} not found`);
      return { skill, ...cache };
    }),
  );
}
