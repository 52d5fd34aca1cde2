/** Parts of a value that its schema marks are left out before the rest is judged elsewhere. */

interface Form {
  properties?: Record<string, Form>;
  items?: Form;
}

const UNKNOWN_FORM: Form = {};

/**
 * Returns what copies a value with null in the place of every part whose schema has the keyword. A schema
 * without such parts leaves the value as it is, not copied.
 */
export function eraser(keyword: string): (value: unknown, form: Form) => unknown {
  const hasMarked = markFinder(keyword);
  return function erase(value: unknown, form: Form): unknown {
    if (!hasMarked(form)) return value;
    if (keyword in form) return null;
    if (Array.isArray(value)) {
      const { items } = form;
      return items ? value.map((part) => erase(part, items)) : value;
    }
    if (typeof value !== 'object' || value === null || !form.properties) return value;
    const { properties } = form;
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [
        key,
        erase(part, (Object.hasOwn(properties, key) && properties[key]) || UNKNOWN_FORM),
      ]),
    );
  };
}

/** Whether a form or one inside it has the keyword; remembered, since a form is asked for every value that it judges. */
function markFinder(keyword: string): (form: Form) => boolean {
  const known = new WeakMap<Form, boolean>();
  return function hasMarked(form: Form): boolean {
    const remembered = known.get(form);
    if (remembered !== undefined) return remembered;
    const found =
      keyword in form ||
      Object.values(form.properties ?? {}).some(hasMarked) ||
      (form.items !== undefined && hasMarked(form.items));
    known.set(form, found);
    return found;
  };
}
