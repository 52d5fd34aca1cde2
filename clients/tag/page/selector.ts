/** Describes the clicked element with a short CSS selector. */
const LEVELS = 6;
const MAX_LENGTH = 200;
/** Ids with digits are mostly generated anew for each page. */
const STABLE_ID = /^[A-Za-z][A-Za-z_-]{0,63}$/;

/** Builds the selector downwards from the nearest element with a stable id; it has at most six levels. */
export function selectorOf(element: Element): string {
  let selector = '';
  let at: Element | null = element;
  for (let level = 0; at !== null && level < LEVELS; level += 1) {
    const step = stepOf(at);
    const longer = selector === '' ? step : `${step}>${selector}`;
    if (longer.length > MAX_LENGTH) break;
    selector = longer;
    if (step.charAt(0) === '#') break;
    at = at.parentElement;
  }
  return selector;
}

function stepOf(element: Element): string {
  const id = element.getAttribute('id') ?? '';
  if (STABLE_ID.test(id)) return `#${id}`;
  const name = CSS.escape(element.localName);
  let nth = 1;
  for (let before = element.previousElementSibling; before !== null; before = before.previousElementSibling) {
    if (before.localName === element.localName) nth += 1;
  }
  return nth > 1 ? `${name}:nth-of-type(${nth})` : name;
}
