import type { EmbeddingProvider } from '../embedding-provider.ts';
import { local } from './local.ts';
import { ollama } from './ollama.ts';
import { openai } from './openai.ts';

export const embeddingProviders: readonly EmbeddingProvider[] = [openai, ollama, local];
