// An MCP server with one tool, as an editor brings it along. With ECHO_HOLD, it starts once that file exists.
import { appendFileSync, existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { McpServer, fromJsonSchema } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const hold = process.env['ECHO_HOLD'];
if (hold) {
  appendFileSync(`${hold}.pids`, `${process.pid}\n`);
  while (!existsSync(hold)) await sleep(20);
}

serveStdio(() => {
  const server = new McpServer({ name: 'echo', version: '1' });
  const inputSchema = fromJsonSchema({
    type: 'object',
    properties: { text: { type: 'string' } },
    required: ['text'],
  });
  server.registerTool('echo', { description: 'Says it again.', inputSchema }, (args) => ({
    content: [{ type: 'text', text: `${process.env['ECHO_NAME']} says ${Object(args).text}` }],
  }));
  return server;
});
