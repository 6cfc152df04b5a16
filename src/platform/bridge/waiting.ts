import type { Id, Message } from './message.ts';

const MAX_BYTES = 8 * 1024 * 1024;
const MAX_MESSAGES = 2000;

interface Held {
  message: Message;
  line: Buffer;
}

/** Messages of the client while no hub was connected, in order. */
export interface Waiting {
  readonly size: number;
  /** Whether reading from the client should pause. */
  readonly full: boolean;
  add(message: Message, line: Buffer): void;
  /** Removes a request that no hub has seen. */
  cancel(id: Id): boolean;
  /** Empties it. */
  take(): Held[];
}

export function createWaiting(): Waiting {
  let held: Held[] = [];
  let bytes = 0;
  return {
    get size() {
      return held.length;
    },
    get full() {
      return bytes > MAX_BYTES || held.length > MAX_MESSAGES;
    },
    add(message, line) {
      held.push({ message, line });
      bytes += line.length;
    },
    cancel(id) {
      const at = held.findIndex(({ message }) => message.kind === 'request' && message.id === id);
      if (at < 0) return false;
      held.splice(at, 1);
      return true;
    },
    take() {
      const all = held;
      held = [];
      bytes = 0;
      return all;
    },
  };
}
