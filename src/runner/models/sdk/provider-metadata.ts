import type { JSONObject } from '@ai-sdk/provider';
import * as z from 'zod';

const Metadata = z.record(z.string(), z.record(z.string(), z.json()));

/** Metadata of a provider, such as signatures of its reasoning: stored with the part and sent back unchanged. */
export function parseMetadata(value: unknown): Record<string, JSONObject> {
  return Metadata.parse(JSON.parse(JSON.stringify(value)));
}
