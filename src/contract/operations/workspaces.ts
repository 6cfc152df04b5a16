import * as z from 'zod';
import type { Operation } from '../table/operation.ts';
import { TrustReport, Workspace } from '../workspace.ts';

const tag = 'hub';

export const operations = {
  listWorkspaces: {
    kind: 'unary',
    tag,
    summary: 'List the workspaces that this hub knows',
    method: 'GET',
    path: '/api/workspaces',
    access: 'operator',
    output: z.strictObject({ workspaces: z.array(Workspace) }),
    status: 200,
    errors: [],
  },
  openWorkspace: {
    kind: 'unary',
    tag,
    summary: 'Get the workspace of a folder; its id is for `?workspace=`',
    method: 'POST',
    path: '/api/workspaces',
    access: 'operator',
    body: z.strictObject({ path: z.string().min(1) }),
    output: Workspace,
    status: 200,
    errors: ['workspace_not_found', 'invalid_arguments'],
  },
  getTrust: {
    kind: 'unary',
    tag,
    summary: 'Show what the workspace would run or connect to, and whether it is approved',
    method: 'GET',
    path: '/api/trust',
    access: 'operator',
    output: TrustReport,
    status: 200,
    errors: [],
  },
  approveTrust: {
    kind: 'unary',
    tag,
    summary: 'Approve the workspace as shown; fails if it has changed since',
    method: 'PUT',
    path: '/api/trust',
    access: 'operator',
    body: z.strictObject({ hash: z.string() }),
    output: TrustReport,
    status: 200,
    errors: ['conflict', 'invalid_arguments'],
  },
  revokeTrust: {
    kind: 'unary',
    tag,
    summary: 'Revoke the approval',
    method: 'DELETE',
    path: '/api/trust',
    access: 'operator',
    output: TrustReport,
    status: 200,
    errors: [],
  },
} as const satisfies Record<string, Operation>;
