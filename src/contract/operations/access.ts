import * as z from 'zod';
import type { Operation } from '../table/operation.ts';

const tag = 'hub';
const unary = { kind: 'unary', tag, access: 'operator' } as const;
const read = { ...unary, method: 'GET', status: 200 } as const;

export const AccessToken = z.strictObject({
  id: z.string(),
  agentId: z.string(),
  workspace: z.string(),
  label: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
});
export type AccessToken = z.infer<typeof AccessToken>;

export const operations = {
  listTokens: {
    ...read,
    summary: 'List the tokens that are bound to agents',
    path: '/api/tokens',
    output: z.strictObject({ tokens: z.array(AccessToken) }),
    errors: [],
  },
  createToken: {
    ...unary,
    summary: 'Create a token that is limited to one agent and its scope; the token is shown only once',
    method: 'POST',
    path: '/api/tokens',
    body: z.strictObject({ agentId: z.string(), label: z.string().max(200).optional() }),
    output: AccessToken.extend({ token: z.string() }),
    status: 201,
    errors: ['agent_not_found', 'invalid_arguments'],
  },
  deleteToken: {
    ...unary,
    summary: 'Revoke a token',
    method: 'DELETE',
    path: '/api/tokens/{id}',
    params: z.object({ id: z.string() }),
    output: z.null(),
    status: 204,
    errors: ['token_not_found'],
  },
  createLogin: {
    ...unary,
    summary: 'Create a one-time link to the page, valid for ten minutes',
    method: 'POST',
    path: '/api/logins',
    output: z.strictObject({ path: z.string() }),
    status: 201,
    errors: [],
  },
  exchangeLogin: {
    ...unary,
    summary: 'Exchange the code of a login link for a token; each code works once',
    method: 'POST',
    path: '/api/logins/exchange',
    access: 'public',
    body: z.strictObject({ code: z.string().max(200) }),
    output: z.strictObject({ token: z.string(), expiresAt: z.string() }),
    status: 200,
    errors: ['unauthorized'],
  },
} as const satisfies Record<string, Operation>;
