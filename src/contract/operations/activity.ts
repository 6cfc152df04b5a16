import * as z from 'zod';
import { ToolCallRecord } from '../activity.ts';
import type { Operation } from '../table/operation.ts';

export const operations = {
  listActivity: {
    kind: 'unary',
    tag: 'tools',
    summary:
      'List tool calls, newest first; with `before`, earlier ones; with `after`, later ones, oldest first',
    method: 'GET',
    path: '/api/activity',
    access: 'operator',
    query: z.object({
      agent: z.string().optional(),
      /** Either form of its name. */
      tool: z.string().optional(),
      /** The name that the client gave itself. */
      client: z.string().optional(),
      failed: z.boolean().optional(),
      /** A time, such as 2026-11-15T08:20:00Z. */
      since: z.string().optional(),
      after: z.int().min(0).optional(),
      before: z.int().min(1).optional(),
      limit: z.int().min(1).max(1000).optional(),
    }),
    output: z.strictObject({ calls: z.array(ToolCallRecord) }),
    status: 200,
    errors: ['invalid_arguments'],
  },
} as const satisfies Record<string, Operation>;
