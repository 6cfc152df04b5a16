import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';

/** The least that the HTTP library can do: a route that answers with these bytes. */
export async function serveBytes(file: string): Promise<void> {
  const bytes = readFileSync(file, 'utf8');
  const app = new Hono();
  app.on(['GET', 'POST'], '/agents/:name/prompt', (c) =>
    c.body(bytes, 200, { 'content-type': 'application/json' }),
  );
  const handle = getRequestListener(app.fetch);
  const server = createServer((incoming, outgoing) => void handle(incoming, outgoing));
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address !== null && typeof address === 'object') console.log(`http://127.0.0.1:${address.port}`);
  });
}
