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

/** What is kept of having signed in at a server, as a secret. */
interface Stored {
  url: string;
  redirect?: string | undefined;
  client?: StoredOAuthClientInformation | undefined;
  tokens?: StoredOAuthTokens | undefined;
}

const StoredLogin = z.looseObject({
  url: z.string(),
  redirect: z.string().optional(),
  client: z.custom<StoredOAuthClientInformation>().optional(),
  tokens: z.custom<StoredOAuthTokens>().optional(),
});

/** Where somebody is to be sent in order to sign in. */
export interface Visit {
  /** Where they come back to. */
  redirect: string;
  state: string;
  send(url: URL): void;
}

/** Who the user is at servers that ask for it by OAuth. */
export interface Logins {
  /** For everyday use: renews what is kept. Null where nobody has signed in. */
  provider(url: string): Promise<OAuthClientProvider | null>;
  /** For signing in, once. */
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

  /** Everything but where the user is sent. */
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
        // A registration is good for the address that it was made with.
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
            "it no longer knows who you are. 'zoo tools login NAME' signs in again.",
          );
        },
      };
    },

    visitor: (url, { redirect, state, send }) => ({
      ...keeping(url, redirect),
      // Whoever signs in wants to be asked, not to go on as before.
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
