import { type ComponentType, createElement, type ReactNode, useEffect, useReducer, useState } from 'react';
import { loadScript } from './load-script.ts';

interface Part<P> {
  load: () => Promise<void>;
  /** Loads it ahead of time. A failure is reported when it is shown. */
  preload: () => void;
  /** Null until it is loaded. */
  component: ComponentType<P> | null;
}

/** A component whose script is loaded when `OnDemand` first shows it, or earlier by `preload`. */
export function onDemand<P>(read: () => Promise<ComponentType<P>>): Part<P> {
  const part: Part<P> = {
    component: null,
    async load() {
      part.component ??= await read();
    },
    preload() {
      part.load().catch(() => undefined);
    },
  };
  return part;
}

interface OnDemandProps<P> {
  part: Part<P>;
  props: P;
  fallback?: ReactNode;
}

/**
 * For parts that open at a key or a click. What React's own `lazy` loads stays hidden for 300 ms, and keys that are
 * pressed in the meantime are lost.
 */
export function OnDemand<P extends object>({ part, props, fallback = null }: OnDemandProps<P>) {
  const [failure, setFailure] = useState<Error | null>(null);
  const [, showLoaded] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (part.component !== null) return;
    loadScript(part.load).then(showLoaded, (cause: unknown) =>
      setFailure(new Error('A part of the page could not be loaded. Reload the page.', { cause })),
    );
  }, [part]);
  if (failure !== null) throw failure;
  return part.component === null ? fallback : createElement(part.component, props);
}
