import type { Provider } from '../provider.ts';

/** A model server on this machine; found by asking it which models it has. */
export const ollama: Provider = {
  name: 'ollama',
  title: 'Ollama',
  wire: 'openai-compatible',
  baseUrl: 'http://127.0.0.1:11434/v1',
  keyVariables: [],
  addressVariables: ['OLLAMA_HOST'],
  aliases: {},
  prefixes: [],
  defaultModel: null,
  discovery: { path: '/models' },
};
