const NEWLINE = 0x0a;

/**
 * Puts chunks together into lines of any length, as bytes: a character may be split over two chunks. What follows
 * the last newline waits for the next chunk, or is lost with the connection.
 */
export function createLineReader(onLine: (line: Buffer) => void): (chunk: Buffer) => void {
  // Joined once, when the line is complete: a line of many chunks must not be copied for each of them.
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
