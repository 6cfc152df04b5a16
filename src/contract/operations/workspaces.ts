import * as z from 'zod';
import type { Operation } from '../table/operation.ts';
import { TrustReport, Workspace } from '../workspace.ts';

const tag = 'hub';

export const operations = {
  listWorkspaces: {
    kind: 'unary',
    tag,
    summary: 'The workspaces this hub has seen',
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
    summary: 'Name a folder; answers the workspace it belongs to, whose id goes into `?workspace=`',
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
    summary: 'What of the workspace would run or connect, and whether it may',
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
    summary: 'Approve the workspace as it was shown; refused if it has changed since',
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
    summary: 'Take the approval back',
    method: 'DELETE',
    path: '/api/trust',
    access: 'operator',
    output: TrustReport,
    status: 200,
    errors: [],
  },
} as const satisfies Record<string, Operation>;
