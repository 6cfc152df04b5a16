import * as z from 'zod';

/** What is known of a program from one process to the next. */
export const KeptProgram = z.object({
  /** Of what it was made from, and with. */
  version: z.string(),
  /** What it said of itself. */
  table: z.record(z.string(), z.json()),
  functions: z.array(z.string()),
  files: z.array(z.string()),
  /** What its files held, where that is enough to run it again. */
  texts: z.record(z.string(), z.string()).nullable(),
  /** Whether it ran because somebody had approved it, and not because nobody had to. */
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
