/**
 * E-mail addresses and telephone numbers within texts. Anything that looks like one is replaced, the rest stays
 * unchanged. The browser's recorder uses the same rule, so nothing here needs Node.
 */
import { EMAIL_MARK, PHONE_MARK } from './contactMarks.ts';

/** Characters between the digits of a number as people write it; hyphens and spaces of any kind. */
const GAP = '[ .()\\-\\u00a0\\u2009\\u202f\\u2010-\\u2013]';
const G = `${GAP}{0,3}`;

/** Nine digits close together, without which a text has no telephone number. */
export const CLOSE_DIGITS = `(?:[0-9]${G}){9}`;

/** A text without any of these is not checked further: an @, or nine digits close together. */
const HINT = new RegExp(`[@\\uff20]|${CLOSE_DIGITS}`);

const AT_SIGN = /[@\uff20]/g;
/** A character of the part of an address before its @, and the maximum length of that part in characters. */
const LOCAL_CHARACTER = /^[\p{L}\p{M}\p{N}._+'~-]$/u;
const MAX_LOCAL_CHARACTERS = 64;
/**
 * An @ and the domain after it; the bounds keep the time linear. A domain that begins like the suffix of a file name
 * (`logo@2x.png`) or is a version (`react@18.2.0`) is none.
 */
const AT_DOMAIN =
  /[@\uff20](?![0-9](?:\.[0-9])?x\.)[\p{L}\p{N}][\p{L}\p{M}\p{N}-]{0,62}(?:\.[\p{L}\p{M}\p{N}-]{1,63}){0,8}?\.(?:xn--[a-z0-9-]{2,59}|\p{L}[\p{L}\p{M}]{1,62})(?![\p{L}\p{M}\p{N}-]|\.[\p{L}\p{N}])/uy;

/**
 * There is no lookbehind, which five-year-old browsers cannot compile: the text before a number is part of the match.
 */
const BEFORE = '(^|[^\\p{L}\\p{N}_])';
/** A number does not end within a word, within a longer number, or before another group of digits: `8916…-12`. */
const END = '(?![\\p{L}\\p{N}_]|[-.][\\p{L}\\p{N}])';

/** With a plus and a country code (E.164: at most 15 digits); numbers of Russia and Kazakhstan have eleven. */
const INTERNATIONAL = `\\+(?:7(?:${G}[0-9]){10}(?![0-9])|(?:${G}[0-9]){9,15}(?![0-9]))`;
/** 8 (916) 555-73-01, 7 916 555 73 01; 8 (4012) 12-34-56; bare numbers are checked by their digits. */
const RUSSIAN = `(?:[78]${G}[0-9]{3}${G}[0-9]{3}${G}[0-9]{2}${G}[0-9]{2}|[78]${G}\\([0-9]{4,5}\\)${G}[0-9]{1,2}${GAP}[0-9]{2}${GAP}[0-9]{2})${END}`;
/** (495) 123-45-67, 495 123-45-67, (916) 555-1234, 916-555-1234, and 1-916-555-1234, the code of North America. */
const LOCAL = `(?:1${GAP})?(?:\\([0-9]{3}\\)${GAP}?|[0-9]{3}${GAP})[0-9]{3}${GAP}(?:[0-9]{4}|[0-9]{2}${GAP}[0-9]{2})${END}`;
/** Twelve digits of a country whose code is written without a plus. */
const NEIGHBOURS = `(?:375|380|998|996)[0-9]{9}${END}`;
/**
 * Matches a written telephone number, with the text before it as the first group. Only the digits of a bare number tell
 * whether it is one (BARE_PHONE).
 */
export const PHONE = new RegExp(`${BEFORE}(${INTERNATIONAL}|${RUSSIAN}|${LOCAL}|${NEIGHBOURS})`, 'gu');
/** Matches the end of a preceding group of a longer number: `1234-8916…`. */
const LATER_GROUP = /[\p{L}\p{N}][-.]$/u;

const BARE = /^[0-9]+$/;
/** The bare number of a mobile phone of Russia or Kazakhstan, or one of NEIGHBOURS. */
const BARE_PHONE = /^(?:[78](?:9[0-9]|7[0-7])[0-9]{8}|[0-9]{12})$/;
/**
 * Before or after a bare number, these mean that it is one of several ids (`gid|79…|aid`), or is marked as one
 * (`#79…`).
 */
const OF_IDS = /[|#№/]/;

/** Matches wherever a bare telephone number may be. Only then does it matter whether the key names an id. */
export const LONG_NUMBER = /[0-9]{11}/;

/** The kind of a text: in `ids`, a number without gaps or a plus is not a telephone number. */
export type TextKind = 'words' | 'ids';

export function withoutContacts(text: string, kind: TextKind = 'words'): string {
  return HINT.test(text) ? withoutPhones(withoutEmails(text), kind) : text;
}

/** Replaces e-mail addresses only, for ids made by others, which may be any number. */
export function withoutEmails(text: string): string {
  let kept = '';
  let from = 0;
  // A search from the left would try the characters before an @ again from each of them.
  for (const { index } of text.matchAll(AT_SIGN)) {
    const start = localPartStart(text, from, index);
    AT_DOMAIN.lastIndex = index;
    const [domain] = (start < index && AT_DOMAIN.exec(text)) || [];
    if (domain === undefined) continue;
    kept += text.slice(from, start) + EMAIL_MARK;
    from = index + domain.length;
  }
  return from === 0 ? text : kept + text.slice(from);
}

/** Returns where the part of an address before its @ begins; the index of the @ if there is none. */
function localPartStart(text: string, from: number, at: number): number {
  let start = at;
  for (let characters = 0; characters < MAX_LOCAL_CHARACTERS && start > from; characters += 1) {
    const isPair = (text.codePointAt(start - 2) ?? 0) > 0xffff && start - 2 >= from;
    const before = isPair ? start - 2 : start - 1;
    if (!LOCAL_CHARACTER.test(text.slice(before, start))) break;
    start = before;
  }
  return start;
}

function withoutPhones(text: string, kind: TextKind): string {
  return text.replace(PHONE, (found, before: string, number: string, at: number) => {
    const isPhone = number.startsWith('+') || isLocalPhone(number, text, at + before.length, kind);
    return isPhone ? before + PHONE_MARK : found;
  });
}

/** Returns true for a local number. @param at where the number begins in the text */
function isLocalPhone(number: string, text: string, at: number, kind: TextKind): boolean {
  if (LATER_GROUP.test(text.slice(Math.max(0, at - 3), at))) return false;
  if (!BARE.test(number)) return true;
  const isAmongIds = OF_IDS.test(text.charAt(at - 1)) || OF_IDS.test(text.charAt(at + number.length));
  return kind === 'words' && BARE_PHONE.test(number) && !isAmongIds;
}
