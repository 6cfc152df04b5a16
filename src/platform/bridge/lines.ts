const NEWLINE = 0x0a;

/**
 * Joins chunks into lines of any length, as bytes, since a character may be split over two chunks. Data after the last
 * newline waits for the next chunk, or is lost with the connection.
 */
export function createLineReader(onLine: (line: Buffer) => void): (chunk: Buffer) => void {
  // Joined once per line: copying a long line for every chunk would be quadratic.
  let parts: Buffer[] = [];
  return (chunk) => {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      const last = chunk.subarray(from, end + 1);
      const line = parts.length === 0 ? last : Buffer.concat([...parts, last]);
      parts = [];
      from = end + 1;
      onLine(line);
    }
    if (from < chunk.length) parts.push(from === 0 ? chunk : chunk.subarray(from));
  };
}
