import * as z from 'zod';
import { BrainEntry, BrainEntryInput, BrainEntryPatch, BrainFilter } from '../brain.ts';
import type { Operation } from '../table/operation.ts';

const tag = 'brain';
const unary = { kind: 'unary', tag, access: 'operator' } as const;
const read = { ...unary, method: 'GET', status: 200 } as const;
const Owner = z.object({ id: z.string() });
const EntryPath = z.object({ id: z.string(), entryId: z.string() });

export const operations = {
  queryBrain: {
    ...read,
    summary: "List the entries of an agent's memory, newest first",
    path: '/api/agents/{id}/brain',
    params: Owner,
    query: z.object(BrainFilter.shape),
    output: z.strictObject({ entries: z.array(BrainEntry), total: z.int() }),
    errors: ['agent_not_found', 'invalid_arguments'],
  },
  createBrainEntry: {
    ...unary,
    summary: 'Add an entry',
    method: 'POST',
    once: true,
    path: '/api/agents/{id}/brain',
    params: Owner,
    body: BrainEntryInput,
    output: BrainEntry,
    status: 201,
    errors: ['agent_not_found', 'invalid_arguments'],
  },
  getBrainEntry: {
    ...read,
    summary: 'Get an entry',
    path: '/api/agents/{id}/brain/{entryId}',
    params: EntryPath,
    output: BrainEntry,
    errors: ['agent_not_found', 'brain_entry_not_found'],
  },
  patchBrainEntry: {
    ...unary,
    summary: 'Change only the given fields of an entry',
    method: 'PATCH',
    once: true,
    path: '/api/agents/{id}/brain/{entryId}',
    params: EntryPath,
    body: BrainEntryPatch,
    output: BrainEntry,
    status: 200,
    errors: ['agent_not_found', 'brain_entry_not_found', 'invalid_arguments'],
  },
  deleteBrainEntry: {
    ...unary,
    summary: 'Delete an entry; it can be undeleted for 30 days',
    method: 'DELETE',
    once: true,
    path: '/api/agents/{id}/brain/{entryId}',
    params: EntryPath,
    output: z.null(),
    status: 204,
    errors: ['agent_not_found', 'brain_entry_not_found'],
  },
  undeleteBrainEntry: {
    ...unary,
    summary: 'Restore a deleted entry',
    method: 'POST',
    once: true,
    path: '/api/agents/{id}/brain/{entryId}/undelete',
    params: EntryPath,
    output: BrainEntry,
    status: 200,
    errors: ['agent_not_found', 'brain_entry_not_found'],
  },
  pinBrainEntry: {
    ...unary,
    summary: 'Pin an entry, so that it is part of every prompt, or unpin it',
    method: 'PATCH',
    once: true,
    path: '/api/agents/{id}/brain/{entryId}/pin',
    params: EntryPath,
    body: z.strictObject({ pinned: z.boolean() }),
    output: BrainEntry,
    status: 200,
    errors: ['agent_not_found', 'brain_entry_not_found', 'invalid_arguments'],
  },
} as const satisfies Record<string, Operation>;
