import * as z from 'zod';
import type { Operation } from '../table/operation.ts';

const tag = 'hub';
const unary = { kind: 'unary', tag, access: 'operator' } as const;
const read = { ...unary, method: 'GET', status: 200 } as const;
const params = z.object({
  name: z.string().regex(/^[\w-][\w.-]{0,199}\.db$/, 'is not the name of a backup'),
});

export const Backup = z.strictObject({ name: z.string(), bytes: z.int().min(0), at: z.string() });
export type Backup = z.infer<typeof Backup>;

/** In base64; a third of it is overhead. */
const MAX_PART_BYTES = 8 * 1024 * 1024;

export const operations = {
  listBackups: {
    ...read,
    summary: "List the backups in the hub's folder, newest first",
    path: '/api/backups',
    output: z.strictObject({ folder: z.string(), backups: z.array(Backup) }),
    errors: [],
  },
  createBackup: {
    ...unary,
    summary: 'Back up all agents, memories, chats and settings while the hub is in use',
    method: 'POST',
    path: '/api/backups',
    output: Backup,
    status: 201,
    errors: [],
  },
  readBackup: {
    ...read,
    summary: 'Read a part of a backup, as base64; `next` is where the following part begins, null at the end',
    path: '/api/backups/{name}',
    params,
    query: z.object({ offset: z.int().min(0).optional() }),
    output: z.strictObject({ data: z.string(), next: z.int().nullable() }),
    errors: ['invalid_arguments'],
  },
  writeBackup: {
    ...unary,
    summary: 'Upload a backup part by part; `done` with the last part adds it to the list',
    method: 'PUT',
    path: '/api/backups/{name}',
    params,
    body: z.strictObject({
      /** Base64. */
      data: z.string(),
      /** Where the part begins; 0 starts over. */
      offset: z.int().min(0),
      done: z.boolean().optional(),
    }),
    maxBody: MAX_PART_BYTES,
    output: z.strictObject({ bytes: z.int().min(0) }),
    status: 200,
    errors: ['invalid_format', 'already_exists', 'conflict'],
  },
  restoreBackup: {
    ...unary,
    summary: 'Replace everything with a backup; the current content is backed up first',
    method: 'POST',
    path: '/api/backups/{name}/restore',
    params,
    output: z.strictObject({ previous: z.string() }),
    status: 200,
    errors: ['invalid_format', 'invalid_arguments'],
  },
} as const satisfies Record<string, Operation>;
