export interface DecodedText {
  text: string;
  /** The encoding that was assumed, or the characters that were lost; null if there is nothing to report. */
  note: string | null;
}

/** Decodes by byte order mark, by the declared encoding, or as UTF-8, with `\n` as line ends. Never throws. */
export function decodeText(bytes: Uint8Array, declared: string | null): DecodedText {
  const marked = markedEncoding(bytes) ?? declared;
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

/** The standard name of an encoding; null for UTF-8, which is validated later, and for unknown names. */
export function namedEncoding(label: string | null): string | null {
  if (label === null) return null;
  try {
    const { encoding } = new TextDecoder(label);
    return encoding === 'utf-8' ? null : encoding;
  } catch {
    return null;
  }
}

const META_WITHIN = 2_048;
const meta = /<meta\b[^>]*\bcharset\s*=\s*["']?\s*([\w.:-]+)|^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)/i;

/** The encoding that a page declares for itself; only ASCII-compatible ones are detected. */
export function encodingInHtml(bytes: Uint8Array): string | null {
  const [, inMeta, inXml] = meta.exec(Buffer.from(bytes.subarray(0, META_WITHIN)).toString('latin1')) ?? [];
  const declared = inMeta ?? inXml ?? null;
  return declared !== null && /^utf-?16/i.test(declared) ? null : declared;
}

/** Text with few invalid bytes is treated as UTF-8; with mostly invalid ones, as another encoding. */
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
    return { text: plainLines(text), note: `is not valid UTF-8: ${broken} characters could not be decoded` };
  }
  return { text: plainLines(decodeWindows(bytes)), note: 'is not UTF-8: decoded as Windows-1252' };
}

/** The characters of Windows-1252 in place of Latin-1 control characters: Node 20 confuses the two encodings. */
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

function decodeWindows(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return text.replace(/[\u0080-\u009f]/g, (control) => WINDOWS[control.charCodeAt(0) - 0x80] ?? control);
}

function plainLines(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}
