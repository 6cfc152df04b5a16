import type { PromptProvider } from './prompt.ts';
import type { ResourceProvider } from './resource.ts';
import type { Tool } from '../tool.ts';

/** Additional tools, prompts and resources, on every surface. */
export interface Extension {
  tools?: readonly Tool[];
  prompts?: PromptProvider;
  resources?: ResourceProvider;
}
