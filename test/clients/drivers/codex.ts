import { serverName } from '../driver.ts';
import type { Driver, ServerEntry } from '../driver.ts';

export const codex: Driver = {
  name: 'codex',
  hasPrompts: false,
  launch({ task, server, modelUrl }) {
    if (!('say' in task)) throw new Error('Codex has no MCP prompts');
    const settings = {
      model: 'gpt-fake',
      model_provider: 'fake',
      approval_policy: 'never',
      'model_providers.fake': inline({
        name: 'fake',
        base_url: `${modelUrl}/v1`,
        wire_api: 'responses',
        env_key: 'FAKE_KEY',
      }),
      ...serverSettings(server),
    };
    return {
      args: [
        ...'exec --skip-git-repo-check --ephemeral --json --enable mcp_tool_list_changed'.split(' '),
        ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
        task.say,
      ],
      env: { FAKE_KEY: 'x' },
      files: {},
    };
  },
};

function serverSettings(server: ServerEntry): Record<string, string> {
  if (server.transport === 'connected') return {};
  const entry =
    server.transport === 'http'
      ? { url: server.url, http_headers: server.headers }
      : { command: server.command, args: server.args, env: server.env };
  // Under `never` it refuses every MCP call that nobody has approved in advance, but for those that only read.
  return { [`mcp_servers.${serverName}`]: inline({ ...entry, default_tools_approval_mode: 'approve' }) };
}

type Value = string | string[] | { [key: string]: Value };

/** As a TOML value on one line; its strings and lists are those of JSON. */
function inline(value: Value): string {
  if (typeof value === 'string' || Array.isArray(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, each]) => `${JSON.stringify(key)}=${inline(each)}`)
    .join(',')}}`;
}
