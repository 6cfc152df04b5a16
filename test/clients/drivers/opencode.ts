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
        mcp: entries(server),
      }),
    },
  }),
};

function typed(task: Task): string[] {
  if ('say' in task) return [task.say];
  return ['--command', `${serverName}:${task.agent}`, ...Object.values(task.arguments)];
}

function entries(server: ServerEntry) {
  if (server.transport === 'connected') return {};
  if (server.transport === 'http') {
    return { [serverName]: { type: 'remote', url: server.url, headers: server.headers, oauth: false } };
  }
  const command = [server.command, ...server.args];
  return { [serverName]: { type: 'local', command, environment: server.env } };
}
