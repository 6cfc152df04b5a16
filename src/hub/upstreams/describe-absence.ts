import { describeAbsentServer } from '../../tools/upstream/absent-server.ts';
import { nearest } from '../../contract/nearest.ts';
import { missingVariables } from '../../tools/upstream/diagnosis.ts';
import type { Upstream } from '../../tools/upstream/upstream.ts';
import type { View } from '../workspaces/view.ts';
import type { UpstreamAccess } from './upstream-access.ts';

type Access = Pick<UpstreamAccess, 'upstreams' | 'entries' | 'accepted'>;

/** Why a tool of an upstream server is not available, as the end of a sentence; null for other names. */
export function describeAbsence(tool: string, view: View, access: Access): string | null {
  const seen = new Set<string>();
  for (const layer of view.layers) {
    const { config, expanded } = layer.current();
    for (const [server, entry] of Object.entries(config.config.tools?.mcp ?? {})) {
      const written = seen.has(server) ? null : asWritten(server, tool);
      seen.add(server);
      if (written === null) continue;
      const blocked = entry.disabled ? 'disabled' : expanded === null ? 'untrusted' : null;
      if (blocked !== null)
        return describeAbsentServer({ name: server, state: blocked, error: null, tools: null });
      const upstream = access.entries.of(view).find((each) => each.name === server);
      return upstream ? describeServer(upstream, written, access) : null;
    }
  }
  return null;
}

function describeServer(upstream: Upstream, written: string, { upstreams, accepted }: Access): string {
  const { name, missing, pin } = upstream;
  if (missing.length > 0) return `the server '${name}' cannot start: ${missingVariables(missing)}`;
  const known = upstreams.peek(upstream);
  const tools = known?.lists.tools.length ?? null;
  for (const { state, error } of upstreams.facts(upstream)) {
    const failed = describeAbsentServer({ name, state, error: error ?? null, tools });
    if (failed !== null) return failed;
  }
  if (!known) return `the server '${name}' has not been reached yet`;
  const held = pin ? accepted.peek(upstream).get(written.slice(name.length + 1)) : undefined;
  if (held) {
    return `the server '${name}' has changed it since it was accepted; review it with 'zoo tools accept ${name} ${held.tool}'`;
  }
  const near = nearest(
    written,
    known.lists.tools.map((tool) => `${name}.${tool.name}`),
  );
  return `the server '${name}' has no such tool${near === null ? '' : `; did you mean '${near}'?`}`;
}

/** The display name of a tool of this server; null if the name does not belong to it. */
export function asWritten(server: string, tool: string): string | null {
  const begins = [`${server}.`, `${server}__`, `${server.replace(/[^a-zA-Z0-9_-]/gu, '_')}__`];
  const begin = begins.find((each) => tool.startsWith(each));
  return begin === undefined ? null : `${server}.${tool.slice(begin.length)}`;
}
