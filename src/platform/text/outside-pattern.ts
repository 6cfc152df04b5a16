import { RE2JS } from 're2js';

/** The time of a match grows with the length of the pattern times that of the text. */
const LONGEST_PATTERN = 1000;
const KEPT_PATTERNS = 1000;
const FLAGS: Record<string, number> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
  // Always on.
  u: 0,
};
const kept = new Map<string, OutsidePattern | null>();

export interface OutsidePattern {
  /** Whether any part of the text matches. */
  test(text: string): boolean;
}

/**
 * Compiles a regular expression that comes from outside: from a config, an upstream server's schema, a website or a
 * caller. It runs in linear time, where `RegExp` can take exponential time. Nothing else may build a `RegExp` from
 * such text; the architecture test checks that.
 *
 * Null for a pattern that is invalid, very long, or needs backtracking (lookaround, backreferences): callers decide
 * whether that is an error or means that nothing is checked.
 */
export function compileOutsidePattern(pattern: string, flags = ''): OutsidePattern | null {
  const key = `${flags}/${pattern}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const compiled = compile(pattern, flags);
  if (kept.size >= KEPT_PATTERNS) kept.clear();
  kept.set(key, compiled);
  return compiled;
}

function compile(pattern: string, flags: string): OutsidePattern | null {
  const bits = [...flags].map((flag) => FLAGS[flag]);
  if (pattern.length > LONGEST_PATTERN || bits.includes(undefined)) return null;
  try {
    const combined = bits.reduce<number>((all, bit) => all | (bit ?? 0), 0);
    return RE2JS.compile(RE2JS.translateRegExp(pattern), combined);
  } catch {
    return null;
  }
}
