import * as z from 'zod';

/** A program's description as stored between starts. */
export const KeptProgram = z.object({
  /** Of what it was made from, and with. */
  version: z.string(),
  /** Its description. */
  table: z.record(z.string(), z.json()),
  functions: z.array(z.string()),
  files: z.array(z.string()),
  /** The contents of its files, where that suffices to run it again. */
  texts: z.record(z.string(), z.string()).nullable(),
  /** Whether it ran after an approval, as opposed to not needing one. */
  approved: z.boolean(),
});
export type KeptProgram = z.infer<typeof KeptProgram>;

/** Where they are kept. */
export interface KeptPrograms {
  /** Reads what an earlier process has left about these files. Never throws. */
  read(files: readonly string[]): Promise<void>;
  /** Null for what is no program, or has not been right yet. */
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
