export type Table = Record<string, unknown>;

export const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Text of a config file in, text out: whatever an edit is not about stays as it is, byte for byte. */
export interface ConfigFormat {
  /** Throws `BrokenConfig`. An empty text is an empty table. */
  parse(text: string): Table;
  /** Makes the table at the path, or changes it: see `applyPatch`. Throws `BrokenConfig`. */
  patch(text: string, path: readonly string[], patch: Table): string;
  /** Takes away what is at the path. Throws `BrokenConfig`. */
  remove(text: string, path: readonly string[]): string;
}

/** A file that its owner has to mend first: we do not guess what was meant. */
export class BrokenConfig extends Error {
  /** Null where it is about the whole file. */
  readonly line: number | null;

  constructor(message: string, line: number | null) {
    super(message);
    this.name = 'BrokenConfig';
    this.line = line;
  }
}

export function valueAt(config: Table, path: readonly string[]): unknown {
  let value: unknown = config;
  for (const key of path) value = isTable(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value;
}

/** `undefined` takes a key away, a table patches the one that is there, anything else replaces. */
export function applyPatch(before: unknown, patch: Table): Table {
  const after: Table = isTable(before) ? { ...before } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined) delete after[key];
    else if (isTable(value)) {
      const inner = applyPatch(after[key], value);
      if (Object.keys(inner).length > 0 || isTable(after[key])) after[key] = inner;
    } else after[key] = value;
  }
  return after;
}

export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
