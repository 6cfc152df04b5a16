export type ReadResult<T> = { item: T; content: Uint8Array | string } | { item: T; error: unknown };

const IN_FLIGHT_ITEMS = 16;
const IN_FLIGHT_BYTES = 16 * 1024 * 1024;
const UNKNOWN_BYTES = 1024 * 1024;

/**
 * Reads the next items while the current one is processed, in order, within a memory limit. Not a concurrency library:
 * those limit the number of items, but the limit here is on their bytes.
 */
export async function* readAhead<T extends { bytes: number | null }>(
  items: readonly T[],
  read: (item: T) => Promise<Uint8Array | string>,
): AsyncGenerator<ReadResult<T>> {
  const flight: { bytes: number; result: Promise<ReadResult<T>> }[] = [];
  let bytes = 0;
  let next = 0;
  const fill = () => {
    while (next < items.length && flight.length < IN_FLIGHT_ITEMS && bytes < IN_FLIGHT_BYTES) {
      const item = items[next++];
      if (item === undefined) return;
      const size = item.bytes ?? UNKNOWN_BYTES;
      // An item larger than the limit is read alone.
      if (flight.length > 0 && bytes + size > IN_FLIGHT_BYTES) {
        next--;
        return;
      }
      bytes += size;
      flight.push({
        bytes: size,
        result: read(item).then(
          (content) => ({ item, content }),
          (error: unknown) => ({ item, error }),
        ),
      });
    }
  };
  for (fill(); flight.length > 0; fill()) {
    const first = flight.shift();
    if (!first) return;
    const result = await first.result;
    yield result;
    bytes -= first.bytes;
  }
}
