import type { AccessTokens } from '../../platform/home/access-tokens.ts';
import { isAgentToken, isPageToken, isValidPageToken, sameSecret } from '../../platform/home/access.ts';
import type { Credentials, Identity } from '../hub.ts';

const OPERATOR: Identity = { caller: { kind: 'operator' }, workspace: null };

/** Who holds these credentials; null when nobody does. */
export async function authenticate(
  tokens: Pick<AccessTokens, 'find'>,
  operatorToken: string,
  { token }: Credentials,
  now: Date,
): Promise<Identity | null> {
  if (isPageToken(token)) return isValidPageToken(operatorToken, token, now) ? OPERATOR : null;
  if (!isAgentToken(token)) return sameSecret(token, operatorToken) ? OPERATOR : null;
  const access = await tokens.find(token);
  if (!access) return null;
  const { id: tokenId, agentId, workspace } = access;
  return { caller: { kind: 'agent', agentId, tokenId }, workspace };
}
