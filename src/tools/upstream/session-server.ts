import * as z from 'zod';
import type { Tool, ToolResult } from '../../contract/tool.ts';
import type { Processes } from '../../platform/processes/processes.ts';
import { openLink } from './connection/open-link.ts';
import { toDescriptor } from './upstream-tools.ts';
import type { Launch } from './upstream.ts';

const START_MS = 20_000;
const CALL_MS = 10 * 60_000;

// Results pass through unchanged: the SDK has validated them.
const Passed = z.custom<ToolResult>((value) => typeof value === 'object' && value !== null);

/** A server that a client brings for one of its sessions. */
export interface SessionServer {
  tools: readonly Tool[];
  close(): Promise<void>;
}

/** Connects to a client's server. Its tools have the names under which agents list them: `mcp__SERVER__TOOL`. */
export async function openSessionServer(
  name: string,
  launch: Launch,
  processes: Pick<Processes, 'start'>,
): Promise<SessionServer> {
  const link = await openLink(launch, {
    processes,
    era: null,
    auth: null,
    asks: false,
    onAsks: () => undefined,
    alone: true,
    timeoutMs: CALL_MS,
    signal: AbortSignal.timeout(START_MS),
    onListsChanged: () => undefined,
    onResourceUpdated: () => undefined,
  });
  const { tools } = await link.lists(AbortSignal.timeout(START_MS)).catch(async (error: unknown) => {
    await link.close();
    throw error;
  });
  return {
    close: () => link.close(),
    tools: tools.map((tool): Tool => {
      const wireName = `mcp__${name}__${tool.name}`;
      return {
        descriptor: { ...toDescriptor(name, tool), name: wireName, displayName: wireName },
        execute: async (args, { context: { signal }, progress, log }) =>
          Passed.parse(
            await link.request(
              { method: 'tools/call', name: tool.name, args, inputSchema: tool.inputSchema },
              {
                begun: () => undefined,
                ask: async () => ({}),
                progress,
                log,
                signal,
              },
            ),
          ),
      };
    }),
  };
}
