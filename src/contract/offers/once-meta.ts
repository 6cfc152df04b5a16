/** In `_meta` of an MCP call: its idempotency key. */
export const IDEMPOTENCY_KEY = 'agent-zoo/idempotency-key';

/** In `_meta` of an MCP tool: it accepts an idempotency key, so calls can be retried. */
export const DONE_ONCE = 'agent-zoo/once';
