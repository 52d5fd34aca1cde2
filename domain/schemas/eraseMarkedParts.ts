/** Erases the parts of a value that its schema marks, because they are validated elsewhere. */

interface Form {
  properties?: Record<string, Form>;
  items?: Form;
}

const UNKNOWN_FORM: Form = {};

/**
 * Returns a function that copies a value with null in place of every part whose schema has the keyword. With a schema
 * without such parts it returns the value itself, not a copy.
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

/** Returns true when a form or one inside it has the keyword; cached, since a form is checked for every value. */
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
