/**
 * `fetch`, whose failures are of the class that is called `Response` now: the server's library puts another one in
 * its place, by which the SDK would not know an answer when it looks for the reason of a refusal. Told to leave it
 * alone, that library takes a quarter longer for every answer of the hub.
 */
export async function plainFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const answer = await fetch(url, init);
  if (answer.ok || answer instanceof Response) return answer;
  const failed: Response = answer;
  return new Response(await failed.text(), {
    status: failed.status,
    statusText: failed.statusText,
    headers: failed.headers,
  });
}
