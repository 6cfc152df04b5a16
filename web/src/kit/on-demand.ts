import { type ComponentType, useEffect, useReducer, useState } from 'react';

export interface OnDemand<P> {
  load: () => Promise<void>;
  /** Null until it is loaded. */
  component: ComponentType<P> | null;
}

/** A component whose script loads when it is first needed. */
export function onDemand<P>(read: () => Promise<ComponentType<P>>): OnDemand<P> {
  const part: OnDemand<P> = {
    component: null,
    async load() {
      part.component ??= await read();
    },
  };
  return part;
}

/**
 * The component once it is loaded, which begins as soon as it is wanted. For parts that open at a key or a click: what
 * React's own `lazy` loads stays hidden for 300 ms, and keys that are pressed in the meantime are lost.
 */
export function useOnDemand<P>(part: OnDemand<P>, isWanted: boolean): ComponentType<P> | null {
  const [failure, setFailure] = useState<unknown>(null);
  const [, showLoaded] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (isWanted && part.component === null) part.load().then(showLoaded, setFailure);
  }, [part, isWanted]);
  if (failure !== null) throw failure;
  return part.component;
}
