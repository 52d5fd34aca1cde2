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

/**
 * Returns true within an element with data-svc-private. The event's own path is not enough: the submission of a form
 * does not leave its shadow tree.
 */
export function isPrivate(event: Event): boolean {
  if (aroundEvent(event, '[data-svc-private]') !== null) return true;
  let at: Node | null = targetOf(event);
  while (at !== null) {
    if (at instanceof Element && at.hasAttribute('data-svc-private')) return true;
    const outer: Node | null = (at as Partial<Element>).assignedSlot ?? at.parentNode;
    at = outer ?? (at instanceof ShadowRoot ? at.host : null);
  }
  return false;
}
