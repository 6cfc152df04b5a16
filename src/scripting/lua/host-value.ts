import type { Json } from '../sandbox.ts';

/** A value for Lua: JSON, or bytes for text that may not be UTF-8. */
export type HostValue = undefined | Uint8Array | null | boolean | number | string | HostValue[] | HostFields;
export interface HostFields {
  [key: string]: HostValue;
}

export interface ReadOptions {
  /** Its name in errors: `result`, `argument 1`. */
  name: string;
  /** Its largest size: bytes of text, plus a few for each other value. */
  budget: number;
  /** Thrown when it is larger. */
  tooLarge(): Error;
  /** If given, functions are left out, and the names of those in the outermost table are added here. */
  functions?: string[];
}

/** How deep a value may be nested on its way in or out. */
export const DEPTH_LIMIT = 64;

/** Lua's registry, which scripts cannot see. */
export const registryIndex = -1_001_000;

/** Keys in the registry, as pointers, of the metatables that tell an empty list from an empty object. */
export const marks = { array: 1, object: 2 } as const;

export interface LuaValues {
  push(state: number, value: HostValue): void;
  pushText(state: number, text: string): void;
  read(state: number, index: number, options: ReadOptions): Json;
  /** Bytes of a string, copied. */
  readBytes(state: number, index: number): Uint8Array;
  /** A string as text, with invalid UTF-8 replaced. */
  readLoosely(state: number, index: number): string;
}
