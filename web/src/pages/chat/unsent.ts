import type { FilePart } from './attachments.tsx';
import { session } from '../../data/browser-storage.ts';

const keyOf = (chatId: string): string => `agent-zoo-unsent:${chatId}`;

/** A message that was not sent yet survives a reload. */
export const readUnsent = (chatId: string): string => session.getItem(keyOf(chatId)) ?? '';

export function writeUnsent(chatId: string, text: string): void {
  if (text === '') session.removeItem(keyOf(chatId));
  else session.setWork(keyOf(chatId), text);
}

const pending = new Map<string, readonly FilePart[]>();

/** Documents that a new chat was started with, for its first message. */
export const putPending = (chatId: string, files: readonly FilePart[]): void =>
  void pending.set(chatId, files);

export const takePending = (chatId: string): readonly FilePart[] => pending.get(chatId) ?? [];
