import {
  classifyInboundRequest,
  isJsonContentType,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import type { CallContext } from '../../../contract/call.ts';
import { ZooError } from '../../../contract/errors.ts';
import type { Hub } from '../../../hub/hub.ts';
import { createLive } from '../changes/live.ts';
import type { McpLog } from '../serving/error-form.ts';
import { type CallMessage, parseCall } from '../serving/call-request.ts';
import { createRequestStates } from '../serving/request-state.ts';
import { type Exchange, replyError } from './exchange.ts';
import { createSessions, type SessionLimits } from './sessions.ts';
import { createSingleRequests } from './single-requests.ts';

const MAX_BODY = 4 * 1024 * 1024;
const METHODS = ['POST', 'GET', 'DELETE'];

export interface McpMountOptions {
  log: McpLog;
  sessions?: Partial<SessionLimits>;
}

/** MCP over HTTP, behind a server that has checked the address and knows the caller. */
export interface McpMount {
  answer(exchange: Exchange, context: CallContext): Promise<void>;
  close(): Promise<void>;
}

/**
 * The newest revision is answered request by request. Those of 2025 get sessions: without one, a
 * client could neither be notified of changes nor asked questions.
 */
export function createMcpMount(hub: Hub, { log, sessions: limits }: McpMountOptions): McpMount {
  const live = createLive(hub, log);
  const statesFor = createRequestStates();
  const sessions = createSessions(hub, { live, log, statesFor, limits });
  const single = createSingleRequests(hub, { live, log, statesFor, maxBody: MAX_BODY });

  return {
    async answer(exchange, context) {
      // Throws while that can still be reported as an HTTP status.
      if (context.agent !== null) await hub.operations.getAgent({ id: context.agent }, context);
      const { method, headers } = exchange;
      if (!METHODS.includes(method)) {
        return replyError(exchange, 405, -32_000, 'Method not allowed.', { allow: METHODS.join(', ') });
      }
      if (method !== 'POST') return sessions.handle(exchange, undefined, null, context);
      if (!isJsonContentType(headers.get('content-type'))) {
        const message = 'Unsupported Media Type: Content-Type must be application/json';
        return replyError(exchange, 415, -32_000, message);
      }
      const read = await readBody(exchange);
      if (!read) return;
      const call = parseCall(read.body);
      return isLegacy(exchange, read.body, call)
        ? sessions.handle(exchange, read.body, call, context)
        : single.handle(exchange, read.body, call, context);
    },
    async close() {
      live.close();
      await Promise.all([sessions.close(), single.close()]);
    },
  };
}

/** Null when the body was refused, and the request answered with the reason. */
async function readBody(exchange: Exchange): Promise<{ body: unknown } | null> {
  try {
    const body = await exchange.readJson(MAX_BODY);
    if (body !== undefined) return { body };
    replyError(exchange, 400, -32_700, 'Parse error: the request has no body');
  } catch (error) {
    if (!(error instanceof ZooError)) throw error;
    const isLarge = error.code === 'too_large';
    const message = isLarge ? error.message : `Parse error: ${error.message}`;
    replyError(exchange, isLarge ? 413 : 400, isLarge ? -32_000 : -32_700, message);
  }
  return null;
}

function isLegacy({ headers }: Exchange, body: unknown, call: CallMessage | null): boolean {
  const version = headers.get('mcp-protocol-version');
  // The checks that the SDK would make for such a call, at a fraction of the cost.
  if (call && !isModern(call) && (version === null || SUPPORTED_PROTOCOL_VERSIONS.includes(version))) {
    return true;
  }
  const method = headers.get('mcp-method');
  const name = headers.get('mcp-name');
  const { kind } = classifyInboundRequest({
    httpMethod: 'POST',
    ...(version !== null && { protocolVersionHeader: version }),
    ...(method !== null && { mcpMethodHeader: method }),
    ...(name !== null && { mcpNameHeader: name }),
    body,
  });
  return kind === 'legacy';
}

const isModern = ({ meta }: CallMessage): boolean => meta !== undefined && PROTOCOL_VERSION_META_KEY in meta;
