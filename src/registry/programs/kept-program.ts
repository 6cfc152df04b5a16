import * as z from 'zod';

/** The stored description of a program. */
export const KeptProgram = z.object({
  /** Hash of its files and settings. */
  version: z.string(),
  /** Its description. */
  table: z.record(z.string(), z.json()),
  functions: z.array(z.string()),
  files: z.array(z.string()),
  /** The contents of its files, if they are enough to run it again. */
  texts: z.record(z.string(), z.string()).nullable(),
  /** Whether it ran after an approval, as opposed to not needing one. */
  approved: z.boolean(),
});
export type KeptProgram = z.infer<typeof KeptProgram>;

/** The table that stores them. */
export interface KeptPrograms {
  /** Reads the stored description of these files. Never throws. */
  read(files: readonly string[]): Promise<void>;
  /** Null if it is not a program, or was never valid. */
  recallProgram(file: string, id: string): KeptProgram | null;
}

export function parseKeptProgram(json: unknown): KeptProgram | null {
  if (typeof json !== 'string') return null;
  try {
    return KeptProgram.safeParse(JSON.parse(json)).data ?? null;
  } catch {
    return null;
  }
}
