import { ZooError } from '../../contract/errors.ts';
import { createAccessTokens } from '../../platform/home/access-tokens.ts';
import { createLoginCodes, ensureOperatorToken, mintPageToken } from '../../platform/home/access.ts';
import type { Database } from '../../platform/store/database.ts';
import type { AgentDirectory } from '../agents/agent-directory.ts';
import type { Hub } from '../hub.ts';
import type { Wing } from '../wing.ts';
import { authenticate } from './authenticate.ts';

export interface AccessWing extends Wing<'access'>, Pick<Hub, 'authenticate' | 'onTokenRevoked'> {}

export interface AccessWingParts {
  home: string;
  db: Database;
  now: () => Date;
  directory: AgentDirectory;
}

/** Tokens, login links and authentication. */
export function createAccessWing({ home, db, now, directory }: AccessWingParts): AccessWing {
  const tokens = createAccessTokens(db, now);
  const logins = createLoginCodes();
  let known: string | undefined;
  const operatorToken = () => (known ??= ensureOperatorToken(home).token);

  return {
    authenticate: (credentials) =>
      authenticate({ tokens, directory, operatorToken: operatorToken(), now: now() }, credentials),
    onTokenRevoked: tokens.onRevoked,
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
