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
        mcpServers: { [serverName]: { ...entry(server), trust: true } },
      }),
    },
  }),
};

function typed(task: Task): string {
  if ('say' in task) return task.say;
  const named = Object.entries(task.arguments).map(([name, value]) => `--${name}="${value}"`);
  return [`/${task.agent}`, ...named].join(' ');
}

function entry(server: ServerEntry) {
  if (server.transport === 'http') return { httpUrl: server.url, headers: server.headers };
  return { command: server.command, args: server.args, env: server.env };
}
