import { ZooError } from '../../contract/errors.ts';
import {
  type AccessTokens,
  type TokenBinding,
  createAccessTokens,
} from '../../platform/home/access-tokens.ts';
import {
  createLoginCodes,
  ensureOperatorToken,
  isAgentToken,
  isMemberToken,
  isPageToken,
  isValidPageToken,
  mintPageToken,
  sameSecret,
} from '../../platform/home/access.ts';
import type { Database } from '../../platform/store/database.ts';
import type { AgentDirectory } from '../agents/agent-directory.ts';
import type { Credentials, Hub, Identity } from '../hub.ts';
import type { Wing } from '../wing.ts';

export interface AccessWing extends Wing<'access'>, Pick<Hub, 'authenticate' | 'onTokenRevoked'> {}

export interface AccessWingParts {
  home: string;
  db: Database;
  now: () => Date;
  directory: AgentDirectory;
  /** The team member that holds a token; null for an unknown one. */
  memberOf(token: string): Promise<Identity | null>;
  /** Called when a member's token becomes invalid. */
  onTokenDropped: Hub['onTokenRevoked'];
}

/** Tokens, login links and authentication. */
export function createAccessWing(parts: AccessWingParts): AccessWing {
  const { home, db, now, directory, memberOf, onTokenDropped } = parts;
  const tokens = createAccessTokens(db, now);
  const logins = createLoginCodes();
  let known: string | undefined;
  const operatorToken = () => (known ??= ensureOperatorToken(home).token);

  return {
    authenticate: (credentials) =>
      isMemberToken(credentials.token)
        ? memberOf(credentials.token)
        : authenticate({ tokens, directory, operatorToken: operatorToken(), now: now() }, credentials),
    onTokenRevoked(listener) {
      const stops = [tokens.onRevoked(listener), onTokenDropped(listener)];
      return () => {
        for (const stop of stops) stop();
      };
    },
    operations: {
      listTokens: async () => ({ tokens: await tokens.list() }),

      async createToken({ body: { agentId, label = '' } }, context) {
        const { agent, owner } = await directory.find(agentId, context);
        return tokens.create({ agentId: agent.id, owner, workspace: context.workspace, label });
      },

      async deleteToken({ id }) {
        if (await tokens.revoke(id)) return null;
        throw new ZooError('token_not_found', `Token '${id}' not found.`);
      },

      // Browsers never send the part after `#` to a server.
      createLogin: async () => ({ path: `/#login=${logins.create()}` }),

      async exchangeLogin({ body: { code } }) {
        if (logins.redeem(code)) return mintPageToken(operatorToken(), now());
        throw new ZooError(
          'unauthorized',
          "This link has been used or has expired. Run 'zoo open' for a new one.",
        );
      },
    },
  };
}

const OPERATOR: Identity = { caller: { kind: 'operator' }, workspace: null };

interface Parts {
  tokens: Pick<AccessTokens, 'find'>;
  directory: Pick<AgentDirectory, 'find'>;
  operatorToken: string;
  now: Date;
}

/** The holder of these credentials; null if they are invalid. */
async function authenticate(
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
