import * as z from 'zod';
import type { Operation } from '../table/operation.ts';
import { TrustReport, Workspace } from '../workspace.ts';

const tag = 'hub';
const unary = { kind: 'unary', tag, access: 'operator' } as const;
const read = { ...unary, method: 'GET', status: 200 } as const;

export const operations = {
  listWorkspaces: {
    ...read,
    summary: 'List the workspaces that this hub knows',
    path: '/api/workspaces',
    output: z.strictObject({ workspaces: z.array(Workspace) }),
    errors: [],
  },
  openWorkspace: {
    ...unary,
    summary: 'Get the workspace of a folder; its id is for `?workspace=`',
    method: 'POST',
    path: '/api/workspaces',
    body: z.strictObject({ path: z.string().min(1) }),
    output: Workspace,
    status: 200,
    errors: ['workspace_not_found', 'invalid_arguments'],
  },
  getTrust: {
    ...read,
    summary: 'Show what the workspace would run or connect to, and whether it is approved',
    path: '/api/trust',
    output: TrustReport,
    errors: [],
  },
  approveTrust: {
    ...unary,
    summary: 'Approve the workspace as shown; fails if it has changed since',
    method: 'PUT',
    path: '/api/trust',
    body: z.strictObject({ hash: z.string() }),
    output: TrustReport,
    status: 200,
    errors: ['conflict', 'invalid_arguments'],
  },
  revokeTrust: {
    ...unary,
    summary: 'Revoke the approval',
    method: 'DELETE',
    path: '/api/trust',
    output: TrustReport,
    status: 200,
    errors: [],
  },
} as const satisfies Record<string, Operation>;
