/** Helpers for the elements that events happen to. */

/** Returns the event's element, also inside open shadow trees. */
export function targetOf(event: Event): Element | null {
  const target = event.composedPath()[0];
  return target instanceof Element ? target : null;
}

/**
 * Returns the innermost element around the event that matches the selector. `closest` would neither leave a shadow tree
 * nor see what a component puts around its slot.
 */
export function aroundEvent(event: Event, selector: string): Element | null {
  const found = event.composedPath().find((node) => node instanceof Element && node.matches(selector));
  return (found as Element | undefined) ?? null;
}

/** Returns true within an element with data-svc-private. */
export function isPrivate(event: Event): boolean {
  return aroundEvent(event, '[data-svc-private]') !== null;
}
