/** In `_meta` of an MCP call: the caller's own name for this write. */
export const IDEMPOTENCY_KEY = 'agent-zoo/idempotency-key';

/** In `_meta` of an MCP tool: its write is done once under an idempotency key, so a call may be made again. */
export const DONE_ONCE = 'agent-zoo/once';
