import type { PromptProvider } from './prompt.ts';
import type { ResourceProvider } from './resource.ts';
import type { Tool } from '../tool.ts';

/** Tools, prompts and resources that stand beside the hub's own, on every surface. */
export interface Extension {
  tools?: readonly Tool[];
  prompts?: PromptProvider;
  resources?: ResourceProvider;
}
