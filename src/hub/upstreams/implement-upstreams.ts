import { delimiter } from 'node:path';
import type { Implements } from '../../contract/api.ts';
import type { CallContext } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import type { UpstreamStatus } from '../../contract/operations/upstreams.ts';
import { nearest } from '../../contract/nearest.ts';
import type { Environment } from '../../platform/home/paths.ts';
import { toolNotFound } from '../../tools/catalogue/catalogue.ts';
import type { Upstream } from '../../tools/upstream/upstream.ts';
import type { AgentDirectory } from '../agents/agent-directory.ts';
import type { UpstreamAccess } from './upstream-access.ts';
import { implementUpstreamLogins } from './upstream-logins.ts';
import { createUpstreamStatus } from './upstream-status.ts';

export function implementUpstreams(
  directory: Pick<AgentDirectory, 'view'>,
  access: UpstreamAccess,
  env: Environment,
): Implements<'upstreams'> {
  const { upstreams, entries, accepted, announce } = access;
  const { statusOf, changesOf } = createUpstreamStatus(access);

  async function find(name: string, { workspace }: CallContext): Promise<Upstream> {
    const view = await directory.view(workspace);
    const found = entries.of(view).find((each) => each.name === name);
    if (found) return found;
    const all = await statusOf(view);
    const there = all.find((each) => each.name === name);
    if (!there) throw notFound(name, all);
    throw new ZooError(
      'untrusted',
      `The server '${name}' is ${there.state}, so the hub does not connect to it.`,
    );
  }

  return {
    ...implementUpstreamLogins(access, find),

    listUpstreams: async (_input, { workspace }) => ({
      upstreams: await statusOf(await directory.view(workspace)),
    }),

    async restartUpstream({ name }, context) {
      const upstream = await find(name, context);
      await upstreams.restart(upstream);
      await upstreams.lookAtAll([upstream]);
      const all = await statusOf(await directory.view(context.workspace));
      return { upstreams: all.filter((each) => each.name === name) };
    },

    async getUpstreamLog({ name }, context) {
      const servers = upstreams.facts(await find(name, context));
      const [latest] = servers.toSorted((a, b) => b.since - a.since);
      const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
      return { text: latest?.said ?? '', searchPath: [...new Set(folders)] };
    },

    async listToolChanges({ name }, context) {
      const upstream = await find(name, context);
      await upstreams.recall([upstream]);
      return { changes: [...(await changesOf(upstream)).values()] };
    },

    async acceptTools({ name, body: { tool } = {} }, context) {
      const upstream = await find(name, context);
      await upstreams.recall([upstream]);
      if (!upstreams.peek(upstream))
        await upstreams.look(upstream).catch((error: unknown) => {
          throw error instanceof ZooError ? new ZooError(error.code, `'${name}' ${error.message}`) : error;
        });
      const lists = upstreams.peek(upstream)?.lists;
      const prefix = [`${name}.`, `${name}__`].find((each) => tool?.startsWith(each)) ?? '';
      const plain = tool?.slice(prefix.length);
      if (plain !== undefined && !lists?.tools.some((each) => each.name === plain)) {
        throw toolNotFound(plain, nearest(plain, lists?.tools.map((each) => each.name) ?? []));
      }
      const done = lists ? await accepted.accept(upstream, lists, plain) : [];
      if (done.length > 0) await announce([upstream.owner]);
      return { accepted: done };
    },

    async checkUpstreams({ body: { name } = {} }, { workspace }) {
      const view = await directory.view(workspace);
      const all = entries.of(view);
      const meant = name === undefined ? all : all.filter((each) => each.name === name);
      const before = await statusOf(view);
      if (name !== undefined && !before.some((each) => each.name === name)) throw notFound(name, before);
      await upstreams.lookAtAll(meant);
      return {
        upstreams: (await statusOf(view)).filter((each) => name === undefined || each.name === name),
      };
    },
  };
}

function notFound(name: string, known: readonly UpstreamStatus[]): ZooError {
  const names = known.map((each) => each.name);
  const near = nearest(name, names);
  const hint =
    near !== null ? ` Did you mean '${near}'?` : names.length > 0 ? ` Available: ${names.join(', ')}.` : '';
  return new ZooError('upstream_not_found', `Upstream MCP server '${name}' not found.${hint}`, { name });
}
