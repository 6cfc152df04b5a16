import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** Connects an MCP client by this name, as an IDE would, and closes it when the work is done. */
export async function callAsClient<T>(
  name: string,
  { url, token }: { url: string; token: string },
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ name, version: '1' });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  const result = await work(client);
  await client.close();
  return result;
}
