export interface DecodedText {
  text: string;
  /** What was taken for granted where the bytes did not say; null where they are plain UTF-8 or say so themselves. */
  note: string | null;
}

/**
 * UTF-8, or what its byte order mark says, or else what was said about it; lines end with `\n` afterwards. Never
 * throws.
 */
export function decodeText(bytes: Uint8Array, said: string | null): DecodedText {
  const marked = markedEncoding(bytes) ?? said;
  if (marked === 'windows-1252') return { text: plainLines(decodeWindows(bytes)), note: null };
  if (marked !== null) return { text: plainLines(new TextDecoder(marked).decode(bytes)), note: null };
  try {
    return { text: plainLines(new TextDecoder('utf-8', { fatal: true }).decode(bytes)), note: null };
  } catch {
    return decodeBroken(bytes);
  }
}

function markedEncoding(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return null;
}

/** An encoding by its proper name: null for UTF-8, which is looked at more closely, and for what nobody knows. */
export function namedEncoding(said: string | null): string | null {
  if (said === null) return null;
  try {
    const { encoding } = new TextDecoder(said);
    return encoding === 'utf-8' ? null : encoding;
  } catch {
    return null;
  }
}

const META_WITHIN = 2_048;
const meta = /<meta\b[^>]*\bcharset\s*=\s*["']?\s*([\w.:-]+)|^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)/i;

/** What a page says about its own encoding: that it is one of those in which this can be read as ASCII, at least. */
export function encodingInHtml(bytes: Uint8Array): string | null {
  const [, inMeta, inXml] = meta.exec(Buffer.from(bytes.subarray(0, META_WITHIN)).toString('latin1')) ?? [];
  const said = inMeta ?? inXml ?? null;
  return said !== null && /^utf-?16/i.test(said) ? null : said;
}

/** UTF-8 with a few broken places stays UTF-8; where hardly anything fits it was another encoding. */
function decodeBroken(bytes: Uint8Array): DecodedText {
  const text = new TextDecoder('utf-8').decode(bytes);
  let broken = 0;
  let sound = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0xfffd) broken++;
    else if (code > 0x7f) sound++;
  }
  if (sound >= broken) {
    return { text: plainLines(text), note: `is not valid UTF-8: ${broken} characters could not be read` };
  }
  return { text: plainLines(decodeWindows(bytes)), note: 'is not UTF-8: it was read as Windows-1252' };
}

/** What Windows-1252 has where Latin-1 has control characters; Node 20 takes the one for the other. */
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

function decodeWindows(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return text.replace(/[\u0080-\u009f]/g, (control) => WINDOWS[control.charCodeAt(0) - 0x80] ?? control);
}

function plainLines(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}
