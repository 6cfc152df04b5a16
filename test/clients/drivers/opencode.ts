import { serverName } from '../driver.ts';
import type { Driver, ServerEntry, Task } from '../driver.ts';

export const opencode: Driver = {
  name: 'opencode',
  hasPrompts: true,
  launch: ({ task, server, modelUrl }) => ({
    args: ['run', '--format', 'json', ...typed(task)],
    env: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' },
    files: {
      '.config/opencode/opencode.json': JSON.stringify({
        provider: {
          fake: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${modelUrl}/v1`, apiKey: 'x' },
            models: { 'gpt-fake': {} },
          },
        },
        model: 'fake/gpt-fake',
        enabled_providers: ['fake'],
        permission: 'allow',
        mcp: { [serverName]: entry(server) },
      }),
    },
  }),
};

function typed(task: Task): string[] {
  if ('say' in task) return [task.say];
  return ['--command', `${serverName}:${task.agent}`, ...Object.values(task.arguments)];
}

function entry(server: ServerEntry) {
  if (server.transport === 'http') {
    return { type: 'remote', url: server.url, headers: server.headers, oauth: false };
  }
  return { type: 'local', command: [server.command, ...server.args], environment: server.env };
}
