/** Helpers for the elements that events happen to. */

/** Returns the event's element, also inside open shadow trees. */
export function targetOf(event: Event): Element | null {
  const target = event.composedPath()[0];
  return target instanceof Element ? target : null;
}

/** Returns true within an element with data-svc-private. */
export function isPrivate(element: Element): boolean {
  let at: Element | null = element;
  while (at !== null) {
    if (at.closest('[data-svc-private]') !== null) return true;
    const root: Node = at.getRootNode();
    at = root instanceof ShadowRoot ? root.host : null;
  }
  return false;
}
