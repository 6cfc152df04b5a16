import type { Provider } from '../provider.ts';

export const openai: Provider = {
  name: 'openai',
  title: 'OpenAI',
  wire: 'openai',
  baseUrl: 'https://api.openai.com/v1',
  keyVariables: ['OPENAI_API_KEY'],
  addressVariables: ['OPENAI_BASE_URL'],
  aliases: {},
  prefixes: ['gpt-', 'o1', 'o3', 'o4', 'chatgpt-', 'codex-'],
  defaultModel: 'gpt-5',
  textOnly: ['gpt-3.5', 'o1-mini', 'o1-preview', 'o3-mini'],
};
