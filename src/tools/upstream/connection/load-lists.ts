import type { Client } from '@modelcontextprotocol/client';
import type { ServerLists } from './link.ts';

/** Everything a server offers. What it does not have is empty; what fails, fails all of it. */
export async function loadLists(client: Client, signal: AbortSignal, timeout: number): Promise<ServerLists> {
  const options = { signal, timeout, cacheMode: 'bypass' } as const;
  const has = client.getServerCapabilities() ?? {};
  const [tools, prompts, resources, templates] = await Promise.all([
    has.tools ? client.listTools(undefined, options).then((list) => list.tools) : [],
    has.prompts ? client.listPrompts(undefined, options).then((list) => list.prompts) : [],
    has.resources ? client.listResources(undefined, options).then((list) => list.resources) : [],
    has.resources
      ? client.listResourceTemplates(undefined, options).then(
          (list) => list.resourceTemplates,
          // Many servers with resources know nothing of templates.
          () => [],
        )
      : [],
  ]);
  return { tools, prompts, resources, templates };
}
