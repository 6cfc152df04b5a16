/** Requests that change nothing, or that leave the same behind when they are made twice. */
const REPEATABLE = new Set([
  'initialize',
  'server/discover',
  'ping',
  'tools/list',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'completion/complete',
  'logging/setLevel',
  'skills/list',
  'skills/get',
]);

/**
 * Which requests may be made a second time when nobody knows whether the first one arrived. Tools are known by
 * what the hub itself has said of them in its lists; one that was never listed counts as a write.
 */
export interface Repeatable {
  learn(tools: unknown): void;
  has(method: string, toolName: unknown): boolean;
}

export function createRepeatable(): Repeatable {
  const readOnly = new Map<string, boolean>();
  return {
    learn(tools) {
      if (!Array.isArray(tools)) return;
      for (const tool of tools as unknown[]) {
        if (typeof tool !== 'object' || tool === null || !('name' in tool)) continue;
        const annotations: unknown = 'annotations' in tool ? tool.annotations : null;
        const reads =
          typeof annotations === 'object' &&
          annotations !== null &&
          'readOnlyHint' in annotations &&
          annotations.readOnlyHint === true;
        readOnly.set(String(tool.name), reads);
      }
    },
    has: (method, toolName) =>
      method === 'tools/call' ? readOnly.get(String(toolName)) === true : REPEATABLE.has(method),
  };
}
