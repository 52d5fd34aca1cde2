/** Personal data that has no place in free-form attributes: it is found by the names under which it is usually kept. */
const PERSONAL_KEYS: ReadonlySet<string> = new Set([
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

/** Whether an attribute of this name would hold personal data. Case does not matter, the rest is compared exactly. */
export function isPersonalKey(key: string): boolean {
  return PERSONAL_KEYS.has(key.toLowerCase());
}
