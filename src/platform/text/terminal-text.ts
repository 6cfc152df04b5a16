// Characters that move the cursor, run terminal commands, reorder text or hide in it. Tabs and line breaks are not
// among them: where a text must stay on one line, see `terminalLine`. Joiners stay, as emoji and several scripts
// need them.
const HIDDEN = /(?!\n|\t|\u200c|\u200d)[\p{Cc}\p{Cf}\u2028\u2029\u115f\u1160\u3164\uffa0]/gu;

/** Makes text from outside safe for a terminal: control and invisible characters become visible. */
export function terminalText(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(HIDDEN, nameOf);
}

/** The same on one line: text from outside must not add lines that look like ours. */
export function terminalLine(text: string): string {
  return terminalText(text)
    .replaceAll(/\s*\n\s*/g, ' ⏎ ')
    .replaceAll('\t', ' ');
}

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '␡';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

/** Escapes the same characters in JSON text without changing the data. */
export function terminalJson(json: string): string {
  return json.replaceAll(HIDDEN, (character) =>
    Array.from({ length: character.length }, (_, index) => {
      const unit = character.charCodeAt(index).toString(16).padStart(4, '0');
      return `\\u${unit}`;
    }).join(''),
  );
}
