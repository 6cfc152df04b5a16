import { createHash } from 'node:crypto';
import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import * as z from 'zod';
import { ZooError } from '../../../contract/errors.ts';
import type { SecretFiles } from '../../../platform/home/secret-files.ts';

/** The stored result of a sign-in; a secret. */
interface Stored {
  url: string;
  redirect?: string | undefined;
  client?: StoredOAuthClientInformation | undefined;
  tokens?: StoredOAuthTokens | undefined;
}

// Written by the hub itself; the SDK validates tokens and registrations when it uses them.
const StoredLogin = z.looseObject({
  url: z.string(),
  redirect: z.string().optional(),
  client: z.custom<StoredOAuthClientInformation>().optional(),
  tokens: z.custom<StoredOAuthTokens>().optional(),
});

/** One sign-in in a browser. */
export interface Visit {
  /** The address that the browser returns to. */
  redirect: string;
  state: string;
  send(url: URL): void;
}

/** The user's sign-ins at servers that use OAuth. */
export interface Logins {
  /** For connections: refreshes stored tokens. Null without a sign-in. */
  provider(url: string): Promise<OAuthClientProvider | null>;
  /** For one sign-in. */
  visitor(url: string, visit: Visit): OAuthClientProvider;
  has(url: string): Promise<boolean>;
  forget(url: string): Promise<void>;
}

export function createLogins(secrets: SecretFiles): Logins {
  const nameOf = (url: string): string =>
    `${createHash('sha256').update(url).digest('hex').slice(0, 32)}.json`;

  async function load(url: string): Promise<Stored> {
    const text = await secrets.read(nameOf(url));
    if (text === null) return { url };
    const stored = StoredLogin.safeParse(parseJson(text)).data;
    return stored?.url === url ? stored : { url };
  }

  const save = async (url: string, patch: Partial<Stored>): Promise<void> =>
    secrets.write(nameOf(url), JSON.stringify({ ...(await load(url)), ...patch, url }));

  /** Everything but the redirect to the browser. */
  function keeping(url: string, redirect: string) {
    let verifier = '';
    let discovered: OAuthDiscoveryState | undefined;
    return {
      redirectUrl: redirect,
      clientMetadata: {
        client_name: 'Agent Zoo',
        redirect_uris: [redirect],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
      async clientInformation() {
        const { client, redirect: registered } = await load(url);
        // A registration is only valid for its redirect address.
        return registered === redirect ? client : undefined;
      },
      saveClientInformation: (client: StoredOAuthClientInformation) => save(url, { client, redirect }),
      tokens: async () => (await load(url)).tokens,
      saveTokens: (tokens: StoredOAuthTokens) => save(url, { tokens }),
      saveCodeVerifier(text: string) {
        verifier = text;
      },
      codeVerifier: () => verifier,
      saveDiscoveryState(state: OAuthDiscoveryState) {
        discovered = state;
      },
      discoveryState: () => discovered,
      async invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery') {
        if (scope === 'all') await secrets.remove(nameOf(url));
        if (scope === 'client') await save(url, { client: undefined, redirect: undefined });
        if (scope === 'tokens') await save(url, { tokens: undefined });
      },
    };
  }

  return {
    async provider(url) {
      const { tokens, redirect } = await load(url);
      if (!tokens || redirect === undefined) return null;
      return {
        ...keeping(url, redirect),
        redirectToAuthorization() {
          throw new ZooError(
            'unauthorized',
            "the login has expired. Run 'zoo tools login NAME' to sign in again.",
          );
        },
      };
    },

    visitor: (url, { redirect, state, send }) => ({
      ...keeping(url, redirect),
      // A new sign-in must not reuse old tokens.
      tokens: async () => undefined,
      state: () => state,
      redirectToAuthorization: send,
    }),

    has: async (url) => (await load(url)).tokens !== undefined,
    forget: (url) => secrets.remove(nameOf(url)),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
