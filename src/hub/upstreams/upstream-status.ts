import type { UpstreamStatus } from '../../contract/operations/upstreams.ts';
import { redactText } from '../../platform/text/redact.ts';
import type { LayerSnapshot } from '../../registry/layers/layer.ts';
import type { ToolChanges } from '../../tools/upstream/accepted-tools.ts';
import { missingVariables } from '../../tools/upstream/diagnosis.ts';
import type { Upstream } from '../../tools/upstream/upstream.ts';
import type { View } from '../workspaces/view.ts';
import type { UpstreamAccess } from './upstream-access.ts';

type Entry = NonNullable<NonNullable<LayerSnapshot['config']['config']['tools']>['mcp']>[string];

export interface UpstreamStatusReader {
  /** Every server that the configs of a view name, also those that are disabled or not approved. */
  statusOf(view: View): Promise<UpstreamStatus[]>;
  /** The tools that have changed since they were accepted. */
  changesOf(upstream: Upstream): Promise<ToolChanges>;
}

export function createUpstreamStatus({
  upstreams,
  entries,
  accepted,
}: Pick<UpstreamAccess, 'upstreams' | 'entries' | 'accepted'>): UpstreamStatusReader {
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

  return { statusOf, changesOf };
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
