import type { WireFormat } from '../wire-format.ts';
import { anthropicMessages } from './anthropic-messages.ts';
import { googleGenerateContent } from './google-generate-content.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';

export const wireFormats: readonly WireFormat[] = [
  anthropicMessages,
  googleGenerateContent,
  openaiChat,
  openaiResponses,
];
