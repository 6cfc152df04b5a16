import { DONE_ONCE } from '../../../contract/offers/once-meta.ts';
import { fieldsOf } from '../../../platform/bridge/message.ts';

/** Requests that are read-only or idempotent. */
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
 * Which requests may be sent again when it is unknown whether the first one arrived. Tools are judged by the
 * annotations in the hub's lists; a tool that was never listed counts as a write.
 */
export interface Repeatable {
  learn(tools: unknown): void;
  /** Whether it is read-only. */
  has(method: string, toolName: unknown): boolean;
  /** Whether it writes, and an idempotency key makes it happen once. */
  isKeyed(method: string, toolName: unknown): boolean;
}

export function createRepeatable(): Repeatable {
  const readOnly = new Set<string>();
  const keyed = new Set<string>();
  return {
    learn(tools) {
      if (!Array.isArray(tools)) return;
      for (const tool of tools.map(fieldsOf)) {
        const name = String(tool['name']);
        note(readOnly, name, fieldsOf(tool['annotations'])['readOnlyHint'] === true);
        note(keyed, name, fieldsOf(tool['_meta'])[DONE_ONCE] === true);
      }
    },
    has: (method, toolName) =>
      method === 'tools/call' ? readOnly.has(String(toolName)) : REPEATABLE.has(method),
    isKeyed: (method, toolName) => method === 'tools/call' && keyed.has(String(toolName)),
  };
}

function note(set: Set<string>, name: string, belongs: boolean): void {
  if (belongs) set.add(name);
  else set.delete(name);
}
