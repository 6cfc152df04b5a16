/** Collects what comes in, and hands it on once per frame, however much of it comes. */
export function perFrame<T>(apply: (items: readonly T[]) => void): (item: T) => void {
  let waiting: T[] = [];
  const flush = (): void => {
    const items = waiting;
    waiting = [];
    apply(items);
  };
  return (item) => {
    waiting.push(item);
    if (waiting.length > 1) return;
    // Frames stand still in windows that nobody sees.
    if (document.hidden) setTimeout(flush, 100);
    else requestAnimationFrame(flush);
  };
}
