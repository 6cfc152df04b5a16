const MOST_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Headers that say nothing about the user. All others may be credentials, whatever they are called. */
const HARMLESS = /^(accept|accept-.*|content-.*|user-agent|mcp-.*|last-event-id)$/i;

/**
 * `fetch` for upstream servers. It follows redirects itself: `fetch` only drops `Authorization` and cookies when a
 * redirect leads to another origin, but a key may be in any header.
 */
export async function serverFetch(url: string | URL, init: RequestInit = {}): Promise<Response> {
  let target = new URL(url);
  let request: RequestInit = { ...init, redirect: 'manual' };
  for (let redirects = 0; ; redirects += 1) {
    const answer = await fetch(target, request);
    const location = REDIRECTS.has(answer.status) ? answer.headers.get('location') : null;
    if (location === null || !URL.canParse(location, target.href)) return toPlainResponse(answer);
    await answer.body?.cancel();
    if (redirects >= MOST_REDIRECTS) throw new Error(`more than ${MOST_REDIRECTS} redirects`);
    const next = new URL(location, target);
    if (next.protocol !== 'http:' && next.protocol !== 'https:')
      throw new Error(`refused a redirect to ${next.protocol}`);
    request = redirected(request, answer.status, next.origin === target.origin);
    target = next;
  }
}

function redirected(request: RequestInit, status: number, sameOrigin: boolean): RequestInit {
  const headers = new Headers(request.headers);
  const toGet = status === 303 || ((status === 301 || status === 302) && request.method === 'POST');
  if (!sameOrigin) {
    // OAuth sends its secrets as a form.
    const isForm = headers.get('content-type')?.startsWith('application/x-www-form-urlencoded') ?? false;
    if (isForm && !toGet) throw new Error('refused a redirect of a sign-in request to another origin');
    const names = [...headers.keys()];
    for (const name of names) if (!HARMLESS.test(name)) headers.delete(name);
  }
  if (!toGet) return { ...request, headers };
  headers.delete('content-type');
  headers.delete('content-length');
  const { body: _body, ...rest } = request;
  return { ...rest, method: 'GET', headers };
}

/**
 * The HTTP server's library replaces the global `Response`, and the SDK then does not recognise a failed answer of
 * `fetch`. Keeping the library from doing so would slow down every answer of the hub by a quarter.
 */
async function toPlainResponse(answer: Response): Promise<Response> {
  if (answer.ok || answer instanceof Response) return answer;
  const failed: Response = answer;
  return new Response(await failed.text(), {
    status: failed.status,
    statusText: failed.statusText,
    headers: failed.headers,
  });
}
