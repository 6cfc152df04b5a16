import type { ContentKind } from './content-kind.ts';

/** Larger items are skipped. */
export const SIZE_LIMITS: Readonly<Record<ContentKind, number>> = {
  text: 64 * 1024 * 1024,
  markdown: 64 * 1024 * 1024,
  html: 8 * 1024 * 1024,
  pdf: 64 * 1024 * 1024,
  docx: 32 * 1024 * 1024,
};

/** Why an item of this size is skipped; null if it is not. */
export function sizeProblem(kind: ContentKind, bytes: number): string | null {
  const limit = SIZE_LIMITS[kind];
  if (bytes <= limit) return null;
  const megabytes = (of: number) => Math.round(of / (1024 * 1024));
  return `is larger than ${megabytes(limit)} MiB (${megabytes(bytes)} MiB)`;
}
