// An MCP server for tests, as a program: `node fixture-server.js legacy|modern [SETTINGS as JSON]`.
import { appendFileSync, readFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { inputRequired, Server } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';

const [era = 'legacy', text = '{}'] = process.argv.slice(2);
const settings = JSON.parse(text);
/** @param {string} line */
const note = (line) => settings.notes && appendFileSync(settings.notes, `${line}\n`);

note(`started ${process.pid}`);
if (settings.noise) process.stdout.write('Welcome!\n{"not": "a message"}\n\n');
if (settings.say) process.stderr.write(settings.say.repeat(settings.times ?? 1));
if (settings.child) {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  note(`child ${child.pid}`);
}
if (settings.stubborn) {
  process.on('SIGTERM', () => undefined);
  setInterval(() => undefined, 1000);
}
if (settings.exit !== undefined) process.exit(settings.exit);
if (settings.hang) setInterval(() => undefined, 1000);
else if (era === 'modern') serveStdio(() => createServer(), { legacy: 'reject' });
else await createServer().connect(new StdioServerTransport());

/** With `words`, a file: what its tools say of themselves, at the moment. */
function described() {
  return settings.words ? { description: readFileSync(settings.words, 'utf8') } : {};
}

/** How many have begun: an order may wait until there are so many `together`. */
let orders = 0;

/** @param {Server} server */
function serveResources(server) {
  server.setRequestHandler('resources/list', () => ({
    resources: settings.resources.map((/** @type {string} */ uri) => ({ uri, name: uri })),
  }));
  if (era === 'modern') return;
  server.setRequestHandler('resources/subscribe', ({ params }) => {
    note(`subscribed ${params.uri}`);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    note(`unsubscribed ${params.uri}`);
    return {};
  });
}

function createServer() {
  const schema = { type: /** @type {const} */ ('object') };
  const names = ['who', 'slow', 'die', 'order', 'grow', 'odd', ...(settings.tools ?? [])];
  const server = new Server(
    { name: 'fixture', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        logging: {},
        ...(settings.resources && { resources: { subscribe: true } }),
      },
    },
  );
  if (settings.resources) serveResources(server);
  server.setRequestHandler('tools/list', () => ({
    tools: names.map((name) => ({ name, ...described(), inputSchema: schema })),
  }));
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: given } }, ctx) => {
    /** @type {{ as?: string, ms?: number, together?: number }} */
    const args = given ?? {};
    /** @param {unknown} value */
    const say = (value) => ({ content: [{ type: /** @type {const} */ ('text'), text: String(value) }] });
    if (name === 'who') return say(process.pid);
    if (name === 'touch') {
      for (const uri of settings.resources) await server.sendResourceUpdated({ uri });
      return say('touched');
    }
    if (name === 'die') {
      note('dying');
      process.exit(7);
    }
    if (name === 'slow') {
      note('slow began');
      try {
        await sleep(args.ms ?? 10_000, undefined, { signal: ctx.mcpReq.signal });
      } catch {
        note('slow was cancelled');
      }
      return say(`slept ${args.as ?? ''}`);
    }
    if (name === 'grow') {
      names.push('grown');
      await server.sendToolListChanged();
      return say('grown');
    }
    if (name === 'odd') {
      return {
        content: [{ type: 'text', text: 'odd', annotations: { priority: 0.5 }, _meta: { 'test/block': 1 } }],
        structuredContent: { n: 1, deep: [{ a: null }] },
        isError: true,
        _meta: { 'test/result': { kept: true } },
      };
    }
    if (name === 'order') {
      const params = {
        message: `What does ${args.as ?? 'nobody'} want?`,
        requestedSchema: {
          type: /** @type {const} */ ('object'),
          properties: { what: { type: /** @type {const} */ ('string') } },
        },
      };
      if (era === 'modern') {
        const answer = Object(ctx.mcpReq.inputResponses?.['what']);
        if (ctx.mcpReq.inputResponses === undefined) {
          note('order began');
          return inputRequired({
            inputRequests: { what: { method: 'elicitation/create', params } },
            requestState: 'half-way',
          });
        }
        note(`order went on from ${JSON.stringify(ctx.mcpReq.requestState())}`);
        return say(JSON.stringify(answer));
      }
      note('order began');
      orders += 1;
      while (orders < (args.together ?? 0)) await sleep(5);
      return say(JSON.stringify(await ctx.mcpReq.send({ method: 'elicitation/create', params })));
    }
    if (name === 'visit') {
      const page = {
        mode: /** @type {const} */ ('url'),
        message: 'Sign in',
        url: 'https://example.com/sign-in',
      };
      const params = { ...page, elicitationId: args.as ?? '' };
      return say(JSON.stringify(await ctx.mcpReq.send({ method: 'elicitation/create', params })));
    }
    if (name === 'visited') {
      await server.createElicitationCompletionNotifier(args.as ?? '')();
      return say('noted');
    }
    return say(`called ${name}`);
  });
  return server;
}
