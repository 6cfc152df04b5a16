const LONGEST = 300;
const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * One line in which control, format and bidirectional characters are shown as escapes: text from outside that somebody
 * is asked to approve must not hide or reorder anything. Long text is cut in the middle, so that both ends are seen.
 */
export function visibleText(text: string): string {
  const shown = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return NAMED[character] ?? `\\u{${code.toString(16)}}`;
  });
  if (shown.length <= LONGEST) return shown;
  const half = LONGEST / 2;
  return `${shown.slice(0, half)} … (${shown.length - LONGEST} characters) … ${shown.slice(-half)}`;
}
