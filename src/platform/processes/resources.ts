import { asError } from '../text/error-message.ts';

type Close = () => unknown;

/** Open resources in the order in which they were opened. A failed start closes the same way as a clean stop. */
export interface Resources {
  /** Registers how to close what was just opened, and returns it. */
  add<T>(resource: T, close: (resource: T) => unknown): T;
  /** Registers a step that opened nothing to hold on to, such as a listener that was added. */
  defer(close: Close): void;
  /**
   * Closes everything in reverse order, one at a time, each even if another failed. Rejects with the only failure, or
   * with an `AggregateError` of all of them. Later calls return the first call's promise.
   */
  close(): Promise<void>;
}

export function createResources(): Resources {
  const open: Close[] = [];
  let closing: Promise<void> | undefined;

  const defer = (close: Close): void => {
    if (closing) throw new Error('Nothing can be opened while closing.');
    open.push(close);
  };

  return {
    add(resource, close) {
      defer(() => close(resource));
      return resource;
    },
    defer,
    close: () => (closing ??= closeEach(open.splice(0).toReversed())),
  };
}

/**
 * Closes one after another, each even if another failed. Rejects with the only failure, or with an `AggregateError` of
 * all of them.
 */
export async function closeEach(steps: readonly Close[]): Promise<void> {
  const failures: Error[] = [];
  for (const close of steps) {
    try {
      await close();
    } catch (error) {
      failures.push(asError(error));
    }
  }
  const [only] = failures;
  if (failures.length > 1)
    throw new AggregateError(failures, failures.map(({ message }) => message).join('; '));
  if (only) throw only;
}
