import type { Provider } from '../provider.ts';

/** A model server on this machine; see local-models.ts. */
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
  isLocal: true,
};
