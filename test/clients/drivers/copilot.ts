import type { Driver } from '../driver.ts';

/** GitHub Copilot CLI on a model provider of one's own, which needs no login. */
export const copilot: Driver = {
  name: 'copilot',
  hasPrompts: false,
  launch: ({ modelUrl }) => ({
    args: [],
    env: {
      COPILOT_PROVIDER_TYPE: 'anthropic',
      COPILOT_PROVIDER_BASE_URL: modelUrl,
      COPILOT_PROVIDER_API_KEY: 'x',
      COPILOT_MODEL: 'claude-fake',
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
    },
    files: {},
  }),
};
