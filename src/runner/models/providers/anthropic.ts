import type { Provider } from '../provider.ts';

export const anthropic: Provider = {
  name: 'anthropic',
  title: 'Anthropic',
  wire: 'anthropic',
  baseUrl: 'https://api.anthropic.com/v1',
  keyVariables: ['ANTHROPIC_API_KEY'],
  addressVariables: ['ANTHROPIC_BASE_URL'],
  aliases: { sonnet: 'claude-sonnet-4-5', opus: 'claude-opus-4-5', haiku: 'claude-haiku-4-5' },
  prefixes: ['claude-'],
  defaultModel: 'claude-sonnet-4-5',
};
