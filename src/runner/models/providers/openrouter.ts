import type { Provider } from '../provider.ts';

export const openrouter: Provider = {
  name: 'openrouter',
  title: 'OpenRouter',
  wire: 'openai-compatible',
  baseUrl: 'https://openrouter.ai/api/v1',
  keyVariables: ['OPENROUTER_API_KEY'],
  addressVariables: [],
  aliases: {},
  prefixes: [],
  defaultModel: null,
};
