// An MCP server with one tool, as an editor brings it along.
import { McpServer, fromJsonSchema } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

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
