import type { UpstreamStatus } from '../../../../src/contract/operations/upstreams.ts';
import type { ToolDescriptor, ToolOrigin } from '../../../../src/contract/tool.ts';

/** Tools that come from one place. */
export interface ToolGroup {
  /** `server NAME`, or the origin. */
  key: string;
  title: string;
  /** Of an upstream server. */
  server: UpstreamStatus | null;
  /** Those that match, by name. */
  tools: readonly ToolDescriptor[];
  /** How many there are, also those that do not match. */
  total: number;
}

export const originWords: Record<ToolOrigin, string> = {
  builtin: 'The hub itself',
  script: 'Scripts',
  published: 'Published by agents',
  upstream: 'Other servers',
};

/** The server that a tool comes from. Names of servers may contain one another: the longest wins. */
function serverOf(
  { origin, displayName }: Pick<ToolDescriptor, 'origin' | 'displayName'>,
  servers: readonly UpstreamStatus[],
): UpstreamStatus | null {
  if (origin !== 'upstream') return null;
  const found = servers.filter(({ name }) => displayName.startsWith(`${name}.`));
  return found.toSorted((a, b) => b.name.length - a.name.length)[0] ?? null;
}

/** Whether every word is in the tool's name, title or description. */
function matchesTool({ name, displayName, title, description }: ToolDescriptor, text: string): boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const said = `${name} ${displayName} ${title} ${description}`.toLowerCase();
  return words.every((word) => said.includes(word));
}

/** All tools by where they come from: servers first, also those without a tool. */
export function groupTools(
  tools: readonly ToolDescriptor[],
  servers: readonly UpstreamStatus[],
  text: string,
): ToolGroup[] {
  const groups = new Map<string, { title: string; server: UpstreamStatus | null; all: ToolDescriptor[] }>();
  for (const server of servers) groups.set(`server ${server.name}`, { title: server.name, server, all: [] });
  for (const tool of tools) {
    const server = serverOf(tool, servers);
    const key = server ? `server ${server.name}` : tool.origin;
    const group = groups.get(key) ?? { title: originWords[tool.origin], server, all: [] };
    group.all.push(tool);
    groups.set(key, group);
  }
  return [...groups].map(([key, { title, server, all }]) => ({
    key,
    title,
    server,
    tools: all.filter((tool) => matchesTool(tool, text)),
    total: all.length,
  }));
}
