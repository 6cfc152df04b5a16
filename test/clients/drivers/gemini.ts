import { serverName } from '../driver.ts';
import type { Driver, ServerEntry, Task } from '../driver.ts';

export const gemini: Driver = {
  name: 'gemini',
  hasPrompts: true,
  launch: ({ task, server, modelUrl }) => ({
    args: [...'--skip-trust --approval-mode yolo -m gemini-2.5-flash -o json -p'.split(' '), typed(task)],
    env: {
      GEMINI_API_KEY: 'x',
      GOOGLE_GEMINI_BASE_URL: modelUrl,
      // It starts itself a second time, which costs a second.
      GEMINI_CLI_NO_RELAUNCH: 'true',
    },
    files: {
      '.gemini/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' } },
        mcpServers: entries(server),
      }),
    },
  }),
};

function typed(task: Task): string {
  if ('say' in task) return task.say;
  const named = Object.entries(task.arguments).map(([name, value]) => `--${name}="${value}"`);
  return [`/${task.agent}`, ...named].join(' ');
}

function entries(server: ServerEntry) {
  if (server.transport === 'connected') return {};
  if (server.transport === 'http') {
    return { [serverName]: { httpUrl: server.url, headers: server.headers, trust: true } };
  }
  return { [serverName]: { command: server.command, args: server.args, env: server.env, trust: true } };
}
