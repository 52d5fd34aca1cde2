/** Sizes of the window and of the page, and where in an element a click was: for maps of clicks and scrolls. */
import type { EventFields } from './event.ts';

/** The size of the window, without its scroll bars. */
export function viewport(): Partial<EventFields> {
  const { clientWidth, clientHeight } = document.documentElement;
  return { viewport_width: clientWidth || innerWidth, viewport_height: clientHeight || innerHeight };
}

/** Sizes of the window and of the whole page, which may have grown since it was loaded. */
export function sizes(): Partial<EventFields> {
  const { scrollWidth, scrollHeight } = document.documentElement;
  return { ...viewport(), document_width: scrollWidth, document_height: scrollHeight };
}

/** So that a click is found on the element again where the page is laid out otherwise. */
export function placeIn(element: Element, { clientX, clientY }: MouseEvent): Partial<EventFields> {
  const { left, top, width, height } = element.getBoundingClientRect();
  if (!(width > 0 && height > 0)) return {};
  return { element_x: share(clientX - left, width), element_y: share(clientY - top, height) };
}

/** Four places are a tenth of a pixel of a thousand. */
function share(part: number, whole: number): number {
  return Math.max(0, Math.min(1, Math.round((part / whole) * 1e4) / 1e4));
}
