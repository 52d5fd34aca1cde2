/** Free-form params: personal data in them is removed or replaced. */
import { withoutPersonalAddress } from './addresses.ts';
import { isIdKey, isPersonalKey } from './personalKeys.ts';
import { LONG_NUMBER, withoutContacts } from './contactsInTexts.ts';

/** Maximum depth, the same as in the validation of requests (domain/schemas/textScan.ts). */
const MAX_DEPTH = 64;

/** The address of a page, absolute or within the site. Linear: only the first question mark is tried. */
const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:\/)?\/\S*$|^[^\s?]*\?\S+=/i;

/**
 * Returns true when a member may not be stored under its key, which names personal data or is itself an e-mail address
 * or a telephone number.
 */
function isPersonalMember(key: string): boolean {
  return isPersonalKey(key) || withoutContacts(key, 'ids') !== key;
}

/** Returns true when a key at any depth names personal data. */
export function hasPersonalKey(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.some((element) => hasPersonalKey(element, depth + 1));
  return Object.entries(value).some(([key, child]) => isPersonalMember(key) || hasPersonalKey(child, depth + 1));
}

/**
 * Returns the params without members with such keys, and with `[email]` and `[phone]` in place of anything that looks
 * like one in a text. Numbers stay, because they are counted.
 */
export function withoutPersonalParams(params: Record<string, unknown>): Record<string, unknown> {
  return cleanMembers(params);
}

function cleanMembers(given: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given)
      .filter(([key]) => !isPersonalMember(key))
      .map(([key, child]) => [key, cleanMember(key, child)]),
  );
}

function cleanMember(key: string, value: unknown): unknown {
  if (typeof value === 'string') return cleanText(key, value);
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? value.map((element) => cleanMember(key, element)) : cleanMembers(value);
}

function cleanText(key: string, text: string): string {
  if (ADDRESS.test(text)) return withoutPersonalAddress(text);
  return withoutContacts(text, LONG_NUMBER.test(text) && isIdKey(key) ? 'ids' : 'words');
}
