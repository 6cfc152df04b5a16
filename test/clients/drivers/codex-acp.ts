import type { Driver } from '../driver.ts';

/** Codex behind its adapter for ACP, which takes its MCP servers from the session. */
export const codexAcp: Driver = {
  name: 'codex-acp',
  hasPrompts: false,
  launch: ({ modelUrl }) => ({
    args: [],
    env: { FAKE_KEY: 'x', NO_BROWSER: '1' },
    files: {
      '.codex/config.toml': `model = "gpt-fake"
model_provider = "fake"

[model_providers.fake]
name = "fake"
base_url = "${modelUrl}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
`,
    },
  }),
};
