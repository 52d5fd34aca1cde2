/**
 * Returns a LIKE pattern that matches all texts containing the given one, whose own `%` and `_` are taken literally.
 */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
