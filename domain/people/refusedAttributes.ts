/**
 * Names that the content API's document refuses in attributes of a profile. The analytics side is stricter:
 * domain/privacy.
 */
const REFUSED: ReadonlySet<string> = new Set([
  'email',
  'phone',
  'name',
  'first_name',
  'last_name',
  'middle_name',
  'address',
  'birth_date',
  'passport',
]);

/**
 * Returns true when an attribute of this name would hold personal data. Case does not matter; otherwise the name is
 * compared exactly.
 */
export function isRefusedAttribute(key: string): boolean {
  return REFUSED.has(key.toLowerCase());
}
