/** Measures the window and the page, and the position of a click in an element, for click and scroll maps. */
import type { EventFields } from '../data/event.ts';

/** Returns the size of the window without its scroll bars. */
export function viewport(): Partial<EventFields> {
  const { clientWidth, clientHeight } = document.documentElement;
  return { viewport_width: clientWidth || innerWidth, viewport_height: clientHeight || innerHeight };
}

/** Returns the sizes of the window and of the whole page, which may have grown since it was loaded. */
export function sizes(): Partial<EventFields> {
  const { scrollWidth, scrollHeight } = document.documentElement;
  return { ...viewport(), document_width: scrollWidth, document_height: scrollHeight };
}

/** Returns the position within the element, so that the click can be placed on it in another layout. */
export function positionIn(element: Element, { clientX, clientY }: MouseEvent): Partial<EventFields> {
  const { left, top, width, height } = element.getBoundingClientRect();
  if (!(width > 0 && height > 0)) return {};
  return { element_x: share(clientX - left, width), element_y: share(clientY - top, height) };
}

/** Returns a share from 0 to 1 with four decimal places, exact to a tenth of a pixel in an element of 1,000 pixels. */
function share(part: number, whole: number): number {
  return Math.max(0, Math.min(1, Math.round((part / whole) * 1e4) / 1e4));
}
