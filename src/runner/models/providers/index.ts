import type { Provider } from '../provider.ts';
import { anthropic } from './anthropic.ts';
import { google } from './google.ts';
import { ollama } from './ollama.ts';
import { openai } from './openai.ts';
import { openrouter } from './openrouter.ts';

/** In the order in which a default is chosen. */
export const providers: readonly Provider[] = [anthropic, openai, google, openrouter, ollama];
