import type { Provider } from '../provider.ts';

export const google: Provider = {
  name: 'google',
  title: 'Google Gemini',
  wire: 'google',
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  keyVariables: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_API_KEY'],
  addressVariables: ['GOOGLE_GEMINI_BASE_URL'],
  aliases: {},
  prefixes: ['gemini-'],
  defaultModel: 'gemini-2.5-flash',
};
