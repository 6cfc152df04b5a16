import { ZooError } from '../../contract/errors.ts';
import type { AccessTokens, TokenBinding } from '../../platform/home/access-tokens.ts';
import { isAgentToken, isPageToken, isValidPageToken, sameSecret } from '../../platform/home/access.ts';
import type { AgentDirectory } from '../agents/agent-directory.ts';
import type { Credentials, Identity } from '../hub.ts';

const OPERATOR: Identity = { caller: { kind: 'operator' }, workspace: null };

interface Parts {
  tokens: Pick<AccessTokens, 'find'>;
  directory: Pick<AgentDirectory, 'find'>;
  operatorToken: string;
  now: Date;
}

/** The holder of these credentials; null if they are invalid. */
export async function authenticate(
  { tokens, directory, operatorToken, now }: Parts,
  { token }: Credentials,
): Promise<Identity | null> {
  if (isPageToken(token)) return isValidPageToken(operatorToken, token, now) ? OPERATOR : null;
  if (!isAgentToken(token)) return sameSecret(token, operatorToken) ? OPERATOR : null;
  const access = await tokens.find(token);
  if (!access) return null;
  await refuseOtherOwner(access, directory);
  const { id: tokenId, agentId, workspace } = access;
  return { caller: { kind: 'agent', agentId, tokenId }, workspace };
}

/** A workspace that defines an agent with the same id must not take over a token of the user's own agent. */
async function refuseOtherOwner(
  { agentId, workspace, owner }: TokenBinding,
  directory: Pick<AgentDirectory, 'find'>,
): Promise<void> {
  const found = await directory.find(agentId, { workspace }).catch(nullWhenMissing);
  // A missing agent is reported by the called operation, with the nearest name.
  if (!found || found.owner === owner) return;
  throw new ZooError(
    'unauthorized',
    `This token was created for another agent with the id '${agentId}' than the one in this workspace. Create a new token, or rename one of the two agents.`,
    { agentId },
  );
}

function nullWhenMissing(error: unknown): null {
  if (error instanceof ZooError && error.code === 'agent_not_found') return null;
  throw error;
}
