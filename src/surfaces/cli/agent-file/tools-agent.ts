/**
 * Seed 004's JSON as an agent of ours: `{"metadata": {"name", "tools": […]}}`, one tool by itself, or MCP's
 * `{"serverInfo", "instructions"}`. Anything else is returned unchanged.
 */
export function fromToolsAgent(item: unknown): unknown {
  if (!isTable(item)) return item;
  if (isTool(item)) {
    return { name: item['name'], description: item['description'], mode: 'tools', publishedTools: [item] };
  }
  const { metadata, serverInfo, instructions, ...others } = item;
  if (isTable(serverInfo)) {
    const { name, version } = serverInfo;
    return {
      mode: 'tools',
      ...others,
      name,
      version,
      ...(instructions ? { description: instructions } : {}),
    };
  }
  if (item['name'] !== undefined || !isTable(metadata) || !Array.isArray(metadata['tools'])) return item;
  const { tools, name, description, version, ...rest } = metadata;
  const known = Object.fromEntries(
    Object.entries({ name, description, version }).filter(([, value]) => value !== undefined),
  );
  const kept = Object.keys(rest).length === 0 ? {} : { metadata: rest };
  return { mode: 'tools', ...others, ...known, publishedTools: tools, ...kept };
}

const isTool = (item: Record<string, unknown>): boolean =>
  typeof item['prompt'] === 'string' && isTable(item['parameters']) && typeof item['name'] === 'string';

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
