import { readFile } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import type { UserPart } from '../../../../contract/run.ts';
import { fileFailure } from '../../input/read-text.ts';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.pdf': 'application/pdf',
};

/** A prompt with files beside it. Anything but images and PDF is attached as text. */
export async function withFiles(prompt: string, files: readonly string[] = []): Promise<UserPart[]> {
  const attached = await Promise.all(files.map(attach));
  return [{ type: 'text', text: prompt }, ...attached];
}

async function attach(file: string): Promise<UserPart> {
  try {
    const bytes = await readFile(resolve(file));
    const mediaType = MEDIA_TYPES[extname(file).toLowerCase()] ?? 'text/plain';
    return { type: 'file', mediaType, data: bytes.toString('base64'), name: basename(file) };
  } catch (error) {
    throw fileFailure('read', file, error);
  }
}
