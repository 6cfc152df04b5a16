import { fileURLToPath } from 'node:url';
import { startHubWithProvider } from './hub-with-provider.ts';
import { compare, createCaller, report, reportAdded, startServer, stopServer } from './measure.ts';
import { listen, readUntil } from './streaming-provider.ts';

const sdkChat = fileURLToPath(new URL('./sdk-chat.bare.js', import.meta.url));
const DELTAS = 2_000;
const ROUNDS = 100;
/** A hub runs for days: more of them, so that its code is compiled as it then is. */
const PUBLISHED_ROUNDS = 2_000;

const CONFIG = `[agents.ada]
system_prompt = "You are Ada."
tools = []
[agents.trips]
mode = "tools"
tools = []
[[agents.trips.published_tools]]
name = "book"
prompt = "Book a flight to {city}."
parameters = { type = "object", properties = { city = { type = "string" } }, required = ["city"] }
[budget]
hub_day = { tokens = 900_000_000, usd = 90_000 }
`;

async function main(): Promise<void> {
  await using hub = await startHubWithProvider(CONFIG);
  const bare = await listen((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const event = { runId: 'r', event: { type: 'text', step: 1, part: 0, offset: 0, text: 'some words ' } };
    for (let seq = 1; seq <= DELTAS; seq++)
      response.write(`id: ${seq}\ndata: ${JSON.stringify({ seq, ...event })}\n\n`);
    response.end('data: {"type":"done"}\n\n');
  });
  const sdk = await startServer([sdkChat, hub.providerUrl], process.env);
  try {
    const headers = { authorization: `Bearer ${hub.token}` };
    const call = createCaller(hub.url);
    const post = (path: string, body: unknown) =>
      call({ method: 'POST', path, headers, body: JSON.stringify(body) });
    const chats: { id: string }[] = [];
    for (let n = 0; n < ROUNDS * 1.3; n++) chats.push(JSON.parse(await post('/api/chats', { agent: 'ada' })));
    const say = async (until: string): Promise<string> => {
      const chat = chats.pop() ?? JSON.parse(await post('/api/chats', { agent: 'ada' }));
      const [followed] = await Promise.all([
        fetch(`${hub.url}/api/chats/${chat.id}/events`, { headers }),
        post(`/api/chats/${chat.id}/messages`, { message: 'Hi' }),
      ]);
      return readUntil(followed, until);
    };
    const ask = (until: string) => async () =>
      readUntil(await fetch(`${hub.providerUrl}/v1/messages`, { method: 'POST', body: '{}' }), until);

    const firstToken = {
      'bare request to the provider': ask('text_delta'),
      'a message in a chat, to its first token': () => say('"type":"text"'),
    };
    reportAdded('First token', await compare(ROUNDS, firstToken), '+10 ms');

    const askProvider = createCaller(hub.providerUrl);
    const published = {
      'bare request to the provider': () => askProvider({ method: 'POST', path: '/v1/messages', body: '{}' }),
      'a call of a published tool': () => post('/tools/trips.book', { city: 'Oslo' }),
    };
    reportAdded('Published tool', await compare(PUBLISHED_ROUNDS, published), '+5 ms');

    hub.setDeltas(DELTAS);
    const events = {
      'bare handler, the same stream through the SDK': async () => readUntil(await fetch(sdk.url), '"done"'),
      'bare handler that asks no model': async () => readUntil(await fetch(bare.url), '"done"'),
      'events of a chat over HTTP, live': () => say('"type":"done"'),
    };
    report(`A stream of ${DELTAS} events`, await compare(20, events), '≤ 2× the time, 0.5× the rate');
  } finally {
    await stopServer(sdk.child);
    bare.server.closeAllConnections();
    bare.server.close();
  }
}

await main();
