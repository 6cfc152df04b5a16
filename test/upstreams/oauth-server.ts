import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';

export interface OAuthServer extends AsyncDisposable {
  /** The MCP server that requires a sign-in. */
  url: string;
  /** Expires all access tokens. */
  expire(): void;
  /** Expires refresh tokens, too. */
  revoke(): void;
  /** Its requests, in order. */
  asked: string[];
  /** Every token that it has issued. */
  tokens: string[];
}

/** A small authorization server that accepts everybody, and an MCP server behind it. */
export async function startOAuthServer(): Promise<OAuthServer> {
  const codes = new Map<string, { challenge: string; redirect: string }>();
  const access = new Set<string>();
  const refresh = new Set<string>();
  const asked: string[] = [];
  const tokens: string[] = [];
  const handler = createMcpHandler(() => {
    const server = new Server({ name: 'private', version: '1.0.0' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => ({
      tools: [{ name: 'secret', inputSchema: { type: 'object' } }],
    }));
    server.setRequestHandler('tools/call', () => ({ content: [{ type: 'text', text: 'for members' }] }));
    return server;
  });
  const json = (value: unknown, status = 200): Response => Response.json(value, { status });

  const grant = (): Response => {
    const [token, again] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    access.add(token);
    refresh.add(again);
    tokens.push(token, again);
    return json({ access_token: token, token_type: 'Bearer', expires_in: 3600, refresh_token: again });
  };

  async function exchange(form: URLSearchParams): Promise<Response> {
    asked.push(`token ${form.get('grant_type')}`);
    if (form.get('grant_type') === 'refresh_token') {
      return refresh.delete(form.get('refresh_token') ?? '')
        ? grant()
        : json({ error: 'invalid_grant' }, 400);
    }
    const code = codes.get(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const right = code?.challenge === challenge && code.redirect === form.get('redirect_uri');
    return right ? grant() : json({ error: 'invalid_grant' }, 400);
  }

  function authorize(params: URLSearchParams): Response {
    asked.push('authorize');
    const [code, redirect] = [randomUUID(), params.get('redirect_uri') ?? ''];
    codes.set(code, { challenge: params.get('code_challenge') ?? '', redirect });
    const back = new URL(redirect);
    back.searchParams.set('code', code);
    back.searchParams.set('state', params.get('state') ?? '');
    return Response.redirect(back, 302);
  }

  async function answer(request: Request): Promise<Response> {
    const { pathname, origin, searchParams } = new URL(request.url);
    if (pathname.startsWith('/.well-known/oauth-protected-resource')) {
      return json({ resource: `${origin}/mcp`, authorization_servers: [origin] });
    }
    if (pathname.startsWith('/.well-known/oauth-authorization-server')) {
      return json({
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
      });
    }
    if (pathname === '/register') {
      asked.push('register');
      return json({ ...Object(await request.json()), client_id: randomUUID() }, 201);
    }
    if (pathname === '/authorize') return authorize(searchParams);
    if (pathname === '/token') return exchange(new URLSearchParams(await request.text()));
    if (pathname !== '/mcp') return json({}, 404);
    const token = request.headers.get('authorization')?.replace('Bearer ', '') ?? '';
    if (access.has(token)) return handler.fetch(request);
    const metadata = `${origin}/.well-known/oauth-protected-resource`;
    return new Response('', {
      status: 401,
      headers: { 'www-authenticate': `Bearer resource_metadata="${metadata}"` },
    });
  }

  const listener = getRequestListener(answer);
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    asked,
    tokens,
    expire: () => access.clear(),
    revoke() {
      access.clear();
      refresh.clear();
    },
    async [Symbol.asyncDispose]() {
      await handler.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
