/** Far deeper than anything people write, and far from where a recursive reader would overflow its stack. */
export const MAX_DEPTH = 100;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Scans the text, since recursing into a parsed value would itself overflow the stack. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return false;
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}
