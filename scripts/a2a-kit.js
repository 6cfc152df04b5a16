import { spawn } from 'node:child_process';
import { createServer, request as forward } from 'node:http';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ensureBuilt, ensureInstalled } from './prepare.js';
import { startZoo } from './sample-zoo.js';

// Runs the public compatibility kit (a2aproject/a2a-tck), which lies outside of the project, against a hub:
// `node scripts/a2a-kit.js FOLDER [PATHS and options of pytest]`. Its Python packages are python3-pytest, -pytest-asyncio,
// -httpx, -requests, -responses, -deepdiff, -jsonschema, -yaml, -dotenv, -grpcio, -grpc-tools, -protobuf of Debian.

const [folder, ...options] = process.argv.slice(2);
if (folder === undefined || !existsSync(join(folder, 'run_tck.py'))) {
  console.error(
    'Usage: node scripts/a2a-kit.js FOLDER [PATHS], where FOLDER is a copy of a2aproject/a2a-tck',
  );
  process.exit(2);
}
/** The kit wants to find tasks under way. */
const ANSWER_MS = 1_000;

ensureInstalled();
await ensureBuilt();
const model = createServer((request, response) => {
  request.resume().once('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (/** @type {unknown} */ delta, /** @type {string | null} */ finish = null) =>
      response.write(
        `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'kit', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
      );
    send({ role: 'assistant', content: 'Hello' });
    setTimeout(() => {
      send({ content: ' there.' });
      send({}, 'stop');
      response.end('data: [DONE]\n\n');
    }, ANSWER_MS);
  });
}).listen(0, '127.0.0.1');
const port = await portOf(model);
/** The kit expects HTTP+JSON at the root of a host, whatever the card says. */
let target = '';
const front = createServer((request, response) => {
  const path = request.url ?? '/';
  const isOurs = path.startsWith('/a2a/') || path.startsWith('/.well-known/');
  const place = `${target}${isOurs ? path : `/a2a/greeter/v1${path}`}`;
  const { method, headers } = request;
  const passed = forward(place, { method, headers: { ...headers, host: new URL(target).host } }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  response.once('close', () => passed.destroy());
  request.pipe(passed.once('error', () => response.destroy()));
}).listen(0, '127.0.0.1');
const frontUrl = `http://127.0.0.1:${await portOf(front)}`;
const config = `
[providers.kit]
base_url = "http://127.0.0.1:${port}/v1"

[budget]
agent_day = { tokens = 1_000_000_000 }
hub_day = { tokens = 1_000_000_000 }

[runner]
model = "kit/kit"

[a2a]
default = "greeter"
url = "${frontUrl}"
provider = { name = "Agent Zoo", url = "https://example.com" }

[agents.greeter]
name = "Greeter"
description = "Greets everybody."
mode = "autonomous"
system_prompt = "Greet."
tools = []
`;
const zoo = await startZoo({ '../config/zoo.toml': config });
target = zoo.url;
const chosen = options.length > 0 ? options : ['tests/mandatory', 'tests/optional'];
const asked = ['--sut-url', `${frontUrl}/a2a/greeter`, '--test-scope=all', '--tb=short', '-q', '-rfEs'];
let failed = false;
for (const transport of ['jsonrpc', 'rest']) {
  const kit = spawn('/usr/bin/python3', ['-m', 'pytest', ...asked, '--transports', transport, ...chosen], {
    cwd: resolve(folder),
    stdio: 'inherit',
    env: {
      ...process.env,
      // The kit does not send the version, which means 0.3 by the specification.
      A2A_AUTH_HEADERS: JSON.stringify({ Authorization: `Bearer ${zoo.token}`, 'A2A-Version': '1.0' }),
      TCK_STREAMING_TIMEOUT: '2.0',
    },
  });
  const [code] = await once(kit, 'exit');
  failed ||= code !== 0;
}
await zoo.close();
for (const server of [front, model]) {
  server.close();
  server.closeAllConnections();
}
process.exitCode = failed ? 1 : 0;

/** @param {import('node:http').Server} server */
async function portOf(server) {
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' ? address?.port : 0;
}
