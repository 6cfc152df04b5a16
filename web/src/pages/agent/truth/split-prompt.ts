import type { PromptPreview } from '../../../../../src/contract/resolved.ts';

type PreviewPart = PromptPreview['parts'][number];

/** A stretch of the compiled prompt: a part of it, or what the hub writes between parts. */
export interface Stretch {
  key: string;
  text: string;
  part: PreviewPart | null;
  /** Against the saved version. */
  change: 'same' | 'new' | 'changed';
  /** How many tokens more than in the saved version. */
  delta: number;
  lines: { text: string; isNew: boolean }[];
}

const keyOf = ({ kind, id }: PreviewPart): string => `${kind} ${id}`;

/** Cuts the prompt at its parts. All stretches together are the prompt, byte for byte. */
export function splitPrompt(now: PromptPreview, saved: PromptPreview | null): Stretch[] {
  const before = new Map(saved?.parts.map((part) => [keyOf(part), part]));
  const stretches: Stretch[] = [];
  let at = 0;
  for (const part of now.parts) {
    const from = part.text === '' ? -1 : now.prompt.indexOf(part.text, at);
    if (from < 0) continue;
    if (from > at) stretches.push(glue(now.prompt.slice(at, from), at));
    stretches.push(describe(part, before.get(keyOf(part)), saved !== null));
    at = from + part.text.length;
  }
  if (at < now.prompt.length) stretches.push(glue(now.prompt.slice(at), at));
  return stretches;
}

const glue = (text: string, at: number): Stretch => ({
  key: `between ${at}`,
  text,
  part: null,
  change: 'same',
  delta: 0,
  lines: [],
});

function describe(part: PreviewPart, old: PreviewPart | undefined, isKnown: boolean): Stretch {
  const known = new Set(old?.text.split('\n'));
  const change = !isKnown || old?.text === part.text ? 'same' : old ? 'changed' : 'new';
  const lines = part.text
    .split('\n')
    .map((text) => ({ text, isNew: change !== 'same' && !known.has(text) && text.trim() !== '' }));
  return { key: keyOf(part), text: part.text, part, change, delta: part.tokens - (old?.tokens ?? 0), lines };
}

/** Parts that the saved version has and the draft does not. */
export function removedParts(now: PromptPreview, saved: PromptPreview | null): PreviewPart[] {
  const left = new Set(now.parts.map(keyOf));
  return saved?.parts.filter((part) => !left.has(keyOf(part))) ?? [];
}
