/**
 * After a deployment the chunks of an open page no longer exist, so code that needs a missing chunk reloads the page,
 * once. The router does this when another page is to be shown, but not when the pointer is only over a link to it;
 * `lazyWithReload` does it for other parts. All styles are in one file, which a page loads when it starts.
 */
import { lazy, type ComponentType, type LazyExoticComponent } from 'react';

const KEY = 'attune-reloaded-for';

/** Returns a component that is loaded from a separate chunk. */
export function lazyWithReload<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await loadOrReload(load) }));
}

/** Loads something that is to be shown now. */
export async function loadOrReload<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!reloadOnceFor(String(error))) throw error;
    // The document is about to be replaced.
    return new Promise<never>(() => undefined);
  }
}

/** If the same chunk is missing a second time, the cause is not a deployment: the error is shown. */
function reloadOnceFor(missing: string): boolean {
  if (sessionStorage.getItem(KEY) === missing) return false;
  sessionStorage.setItem(KEY, missing);
  location.reload();
  return true;
}
