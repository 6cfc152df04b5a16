/** How often each term occurs in a chunk, weighted by field, and the sum of these counts. */
export interface ForwardEntry {
  length: number;
  /** Pairs of a term's number and its count, sorted by number. */
  terms: Uint32Array;
}

/** Variable-length integers: the length, then for each term the step from the last one and its count. */
export function encodeForward(length: number, terms: readonly { id: number; count: number }[]): Uint8Array {
  const bytes = new Uint8Array(5 + terms.length * 10);
  let at = 0;
  const put = (value: number) => {
    let rest = value;
    while (rest > 127) {
      bytes[at++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    bytes[at++] = rest;
  };
  put(length);
  let last = 0;
  for (const { id, count } of terms) {
    put(id - last);
    put(count);
    last = id;
  }
  return bytes.subarray(0, at);
}

export function decodeForward(bytes: Uint8Array): ForwardEntry {
  const values = new Uint32Array(bytes.length);
  let size = 0;
  let value = 0;
  let shift = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    value |= (byte & 127) << shift;
    if (byte > 127) {
      shift += 7;
      continue;
    }
    values[size++] = value;
    value = 0;
    shift = 0;
  }
  for (let at = 3; at < size; at += 2) values[at] = (values[at] ?? 0) + (values[at - 2] ?? 0);
  return { length: values[0] ?? 0, terms: values.subarray(1, size) };
}
