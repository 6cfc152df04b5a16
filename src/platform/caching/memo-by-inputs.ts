/** Whether two lists hold the same objects in the same order. */
export const sameItems = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);

/** Computes once per key and list of inputs; again when an input is a different object. The last result is kept. */
export function memoByInputs<K extends object, I, V>(
  compute: (inputs: readonly I[], key: K) => V,
): (key: K, inputs: readonly I[]) => V {
  const kept = new WeakMap<K, { inputs: readonly I[]; value: V }>();
  return (key, inputs) => {
    const known = kept.get(key);
    if (known && sameItems(known.inputs, inputs)) return known.value;
    const value = compute(inputs, key);
    kept.set(key, { inputs, value });
    return value;
  };
}
