import { randomUUID } from 'node:crypto';
import { Role, type SendMessageRequest } from '@a2a-js/sdk';

export interface MessagePlace {
  /** The conversation that it continues. */
  contextId?: string | undefined;
  /** A task that has not ended. */
  taskId?: string | undefined;
  skill?: string | undefined;
}

/** A message of plain text, as the SDK's client sends it. */
export function textMessage(text: string, { contextId = '', taskId = '', skill }: MessagePlace = {}) {
  return {
    tenant: '',
    message: {
      messageId: randomUUID(),
      contextId,
      taskId,
      role: Role.ROLE_USER,
      parts: [
        {
          content: { $case: 'text', value: text },
          metadata: undefined,
          filename: '',
          mediaType: 'text/plain',
        },
      ],
      metadata: skill === undefined ? undefined : { skill },
      extensions: [],
      referenceTaskIds: [],
    },
    configuration: undefined,
    metadata: undefined,
  } satisfies SendMessageRequest;
}
