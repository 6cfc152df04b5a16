import type { Implements } from '../../contract/api.ts';
import type { CallContext } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import type { UpstreamStatus } from '../../contract/operations/upstreams.ts';
import { nearest } from '../../platform/text/nearest.ts';
import { redactText } from '../../platform/text/redact.ts';
import type { LayerSnapshot } from '../../registry/layers/layer.ts';
import { missingVariables } from '../../tools/upstream/diagnosis.ts';
import { toolNotFound } from '../../tools/catalogue/catalogue.ts';
import type { ToolChanges } from '../../tools/upstream/accepted-tools.ts';
import type { Upstream } from '../../tools/upstream/upstream.ts';
import type { AgentDirectory } from '../agents/agent-directory.ts';
import type { UpstreamAccess } from './upstream-access.ts';
import type { View } from '../workspaces/view.ts';
import { implementUpstreamLogins } from './upstream-logins.ts';

type Entry = NonNullable<NonNullable<LayerSnapshot['config']['config']['tools']>['mcp']>[string];

export function implementUpstreams(
  directory: Pick<AgentDirectory, 'view'>,
  { upstreams, entries, logins, accepted, announce }: UpstreamAccess,
): Implements<'upstreams'> {
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

  async function statusOf(view: View): Promise<UpstreamStatus[]> {
    const running = entries.of(view);
    await upstreams.recall(running);
    await Promise.all(running.map((upstream) => changesOf(upstream)));
    const seen = new Set<string>();
    return view.layers.flatMap((layer) => {
      const { config, expanded } = layer.current();
      const named = Object.entries(config.config.tools?.mcp ?? {});
      return named.flatMap(([name, entry]) => {
        if (seen.has(name)) return [];
        if (!entry.disabled) seen.add(name);
        const blank = blankStatus(name, layer.owner, entry);
        if (entry.disabled) return [{ ...blank, state: 'disabled' as const }];
        if (expanded === null) return [{ ...blank, state: 'untrusted' as const }];
        const upstream = running.find((each) => each.name === name && each.owner === layer.owner);
        return [upstream ? { ...blank, ...facts(upstream) } : blank];
      });
    });
  }

  async function changesOf(upstream: Upstream): Promise<ToolChanges> {
    const known = upstreams.peek(upstream);
    return known ? accepted.changes(upstream, known.lists) : accepted.peek(upstream);
  }

  function facts(upstream: Upstream): Partial<UpstreamStatus> {
    const known = upstreams.peek(upstream);
    const servers = upstreams.facts(upstream);
    const latest = servers.toSorted((a, b) => b.since - a.since);
    const shown =
      latest.find(({ state }) => state === 'ready') ??
      latest.find(({ state }) => state !== 'idle') ??
      latest[0];
    const missing = upstream.missing.length > 0;
    return {
      state: missing ? 'failed' : (shown?.state ?? 'idle'),
      running: servers.filter(({ state }) => state === 'ready').length,
      pid: shown?.pid ?? null,
      title: shown?.title ?? known?.title ?? null,
      era: shown?.era ?? known?.era ?? null,
      tools: known?.lists.tools.length ?? null,
      prompts: known?.lists.prompts.length ?? null,
      resources: known ? known.lists.resources.length + known.lists.templates.length : null,
      changed: [...accepted.peek(upstream).keys()],
      error: missing ? missingVariables(upstream.missing) : (shown?.error ?? null),
      since: shown ? new Date(shown.since).toISOString() : null,
    };
  }

  return {
    ...implementUpstreamLogins({ upstreams, logins }, find),

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

    async listToolChanges({ name }, context) {
      const upstream = await find(name, context);
      await upstreams.recall([upstream]);
      return { changes: [...(await changesOf(upstream)).values()] };
    },

    async acceptTools({ name, body: { tool } = {} }, context) {
      const upstream = await find(name, context);
      await upstreams.recall([upstream]);
      if (!upstreams.peek(upstream)) await upstreams.look(upstream);
      const lists = upstreams.peek(upstream)?.lists;
      const plain = tool?.startsWith(`${name}.`) ? tool.slice(name.length + 1) : tool;
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

function blankStatus(name: string, workspace: string | null, entry: Entry): UpstreamStatus {
  return {
    name,
    workspace,
    state: 'idle',
    transport: entry.url === undefined ? 'stdio' : 'http',
    target: redactText(entry.url ?? [entry.command, ...(entry.args ?? [])].join(' ')),
    shared: entry.shared ?? true,
    running: 0,
    pid: null,
    title: null,
    era: null,
    changed: [],
    pinned: entry.pin ?? false,
    tools: null,
    prompts: null,
    resources: null,
    error: null,
    since: null,
  };
}
