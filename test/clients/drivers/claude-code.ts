import { join } from 'node:path';
import { serverName } from '../driver.ts';
import type { Driver, ServerEntry, Task } from '../driver.ts';

export const claudeCode: Driver = {
  name: 'claude-code',
  hasPrompts: true,
  launch: ({ task, server, modelUrl, home }) => ({
    args: [
      ...'--output-format stream-json --verbose'.split(' '),
      ...(server.transport === 'connected'
        ? []
        : ['--strict-mcp-config', `--mcp-config=${join(home, 'mcp.json')}`]),
      `--allowedTools=mcp__${serverName}`,
      '-p',
      typed(task),
    ],
    env: {
      ANTHROPIC_BASE_URL: modelUrl,
      ANTHROPIC_API_KEY: 'sk-fake',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      // It would show the model a search for tools in place of the tools.
      ENABLE_TOOL_SEARCH: 'false',
    },
    files: { 'mcp.json': JSON.stringify({ mcpServers: entries(server) }) },
  }),
};

function typed(task: Task): string {
  if ('say' in task) return task.say;
  return [`/mcp__${serverName}__${task.agent}`, ...Object.values(task.arguments)].join(' ');
}

function entries(server: ServerEntry) {
  if (server.transport === 'connected') return {};
  if (server.transport === 'http') {
    return { [serverName]: { type: 'http', url: server.url, headers: server.headers } };
  }
  return { [serverName]: { type: 'stdio', command: server.command, args: server.args, env: server.env } };
}
