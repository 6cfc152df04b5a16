import * as z from 'zod';

export const BrainEntryType = z.enum(['decision', 'milestone', 'note', 'summary']);

const Tag = z.string().trim().min(1).max(64);
const Content = z.string().min(1, 'must not be empty').max(100_000);

/** A piece of an agent's long-term memory. */
export const BrainEntry = z.strictObject({
  id: z.string(),
  agentId: z.string(),
  type: BrainEntryType,
  content: z.string(),
  timestamp: z.string(),
  pinned: z.boolean(),
  tags: z.array(z.string()),
  metadata: z.strictObject({
    /** The surface it came through, stamped by the hub. */
    source: z.string(),
    sessionId: z.string().nullable(),
    workspaceId: z.string().nullable(),
  }),
});
export type BrainEntry = z.infer<typeof BrainEntry>;

export const BrainEntryInput = z.strictObject({
  type: BrainEntryType,
  content: Content,
  pinned: z.boolean().optional(),
  tags: z.array(Tag).max(50).optional(),
  metadata: z.strictObject({ sessionId: z.string().max(200).nullable().optional() }).optional(),
});
export type BrainEntryInput = z.infer<typeof BrainEntryInput>;

export const BrainEntryPatch = z.strictObject({
  type: BrainEntryType.optional(),
  content: Content.optional(),
  pinned: z.boolean().optional(),
  tags: z.array(Tag).max(50).optional(),
});
export type BrainEntryPatch = z.infer<typeof BrainEntryPatch>;

const Day = z.iso.date('must be a day such as 2026-11-15');

/** `tags` matches any of them; the days are the hub's local ones, both inclusive. */
export const BrainFilter = z.strictObject({
  type: BrainEntryType.optional(),
  tags: z.array(Tag).optional(),
  dateFrom: Day.optional(),
  dateTo: Day.optional(),
  pinned: z.boolean().optional(),
  q: z.string().optional(),
  limit: z.int().min(1).max(1000).optional(),
});
export type BrainFilter = z.infer<typeof BrainFilter>;
