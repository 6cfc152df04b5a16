export interface Lazy<T> {
  get(): Promise<T>;
  close(): Promise<void>;
}

/** Opens a resource once, on the first call; after a failure, the next call tries again. */
export function lazily<T extends { close(): Promise<void> }>(open: () => Promise<T>): Lazy<T> {
  let opened: Promise<T> | null = null;
  return {
    get(): Promise<T> {
      if (opened) return opened;
      const opening = open();
      opened = opening;
      opening.catch(() => {
        if (opened === opening) opened = null;
      });
      return opening;
    },
    async close(): Promise<void> {
      await (await opened?.catch(() => null))?.close();
    },
  };
}
