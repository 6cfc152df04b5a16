export type Table = Record<string, unknown>;

export const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Edits the text of a config file; everything else stays unchanged, byte for byte. */
export interface ConfigFormat {
  /** Throws `BrokenConfig`. An empty text is an empty table. */
  parse(text: string): Table;
  /** Creates or patches the table at the path: see `applyPatch`. Throws `BrokenConfig`. */
  patch(text: string, path: readonly string[], patch: Table): string;
  /** Removes the value at the path. Throws `BrokenConfig`. */
  remove(text: string, path: readonly string[]): string;
}

/** A file that its owner has to fix first. */
export class BrokenConfig extends Error {
  /** Null for the whole file. */
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

/** `undefined` removes a key, a table is merged, anything else replaces the value. */
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
