import { type ComponentType, lazy } from 'react';

const RETRY_MS = 1000;

/**
 * Loads a script of the page. If the hub is down, the window is reloaded as soon as it is back: browsers remember that
 * a script could not be loaded. The router would reload at once, and show an empty window. Scripts that are loaded ahead
 * of time may not be wanted by then.
 */
export async function loadScript<M>(load: () => Promise<M>, isWanted = (): boolean => true): Promise<M> {
  try {
    return await load();
  } catch (error) {
    if (await isHubUp()) throw error;
    do await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    while (!(await isHubUp()));
    if (!isWanted()) throw error;
    location.reload();
    return new Promise<never>(() => undefined);
  }
}

const isHubUp = (): Promise<boolean> =>
  fetch('/health', { cache: 'no-store', credentials: 'omit' }).then(
    () => true,
    () => false,
  );

/** A part of a page with a script of its own, as React's `lazy`. */
export const lazyPart = <P extends object>(load: () => Promise<{ default: ComponentType<P> }>) =>
  lazy(() => loadScript(load));
