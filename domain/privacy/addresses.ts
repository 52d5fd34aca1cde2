/** Addresses of pages, referrers and links: removes personal data from their queries, paths and fragments. */
import { isIdKey, isPersonalKey } from './personalKeys.ts';
import { EMAIL_MARK, PHONE_MARK } from './contactMarks.ts';
import { CLOSE_DIGITS, withoutContacts, type TextKind } from './contactsInTexts.ts';

/** An address without any of these needs no cleaning: no query, no fragment, nothing encoded, no @, no nine digits. */
const HINT = new RegExp(`[?#%@\\uff20]|${CLOSE_DIGITS}`);
/** The same for a value: it may be encoded, a query itself, or a number. */
const VALUE_HINT = new RegExp(`[%@+=\\uff20]|${CLOSE_DIGITS}`);

/** Every query, and every address with an account, contains one of these, percent-encoded or not. */
const NESTED = /[=@]|%[2-4]/;
/** Every account contains an @, an encoded @ (`%40`) or an encoded percent sign (`%25`). */
const AT = /@|%[24]/;

/** Levels of addresses and queries within an address that are cleaned; deeper ones are not taken apart. */
const MAX_DEPTH = 3;
/** With the flag `u` this matches only surrogates that are not part of a pair. */
const LONE_SURROGATES = /[\ud800-\udfff]/gu;
const MAX_DECODINGS = 3;

const CALLS = /^(?:tel|sms|callto|facetime):/i;
/**
 * The scheme may be missing: `//user:password@host`. Browsers accept slashes of either kind, and any number of them after
 * a scheme of the web.
 */
const ACCOUNT = /^([\0- ]*(?:(?:[a-z][a-z0-9+.-]*:)?[\\/]{2}|(?:https?|wss?|ftp):[\\/]*))[^/?#\\]*@/i;
/** An account of an address that is a part of a path or a text; servers may have merged its slashes. */
const INNER_ACCOUNT = /(\/[a-z][a-z0-9+.-]*:\/\/?|\/\/(?=[^/:@]*:))[^/\\]+@/gi;
const HOST = /^[a-z][a-z0-9+.-]*:\/\/[^/\\]*/i;
const PARTS = /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

/**
 * Returns the address without the user name and password, its own and those of an address within it; without members of
 * its query whose keys name personal data; and with `[email]` and `[phone]` in place of anything that looks like one,
 * percent-encoded up to {@link MAX_DECODINGS} times or not. The rest stays unchanged, byte for byte.
 */
export function withoutPersonalAddress(address: string): string {
  return clean(address, 0);
}

function clean(address: string, depth: number): string {
  if (CALLS.test(address)) return address.replace(/:.*$/s, `:${PHONE_MARK}`);
  if (!HINT.test(address)) return address;
  const [, path = '', query, fragment] = PARTS.exec(address.replace(ACCOUNT, '$1')) ?? [];
  const kept = query && cleanQuery(query, depth);
  // A lone question mark stays; otherwise it is removed with the last member of the query.
  const shown = cleanPath(path, depth) + (kept || query === '' ? `?${kept}` : '');
  return fragment === undefined ? shown : `${shown}#${cleanFragment(fragment, depth)}`;
}

/** The host stays unchanged. */
function cleanPath(path: string, depth: number): string {
  const host = HOST.exec(path)?.[0] ?? '';
  const segments = path.slice(host.length).replace(INNER_ACCOUNT, '$1').split('/');
  return host + segments.map((segment) => cleanSegment(segment, depth)).join('/');
}

/** Cleans a part that may be an address, or contain one. */
function cleanSegment(segment: string, depth: number): string {
  const text = depth < MAX_DEPTH && AT.test(segment) ? decodeFully(segment, false) : '';
  return hasAccount(text) ? encode(clean(text, depth + 1)) : cleanPart(segment, 'words');
}

function hasAccount(text: string): boolean {
  return text.includes('@') && (ACCOUNT.test(text) || text.search(INNER_ACCOUNT) >= 0);
}

/** A fragment is a route (`#/cart?email=…`) or data of the application (`#email=…`). */
function cleanFragment(fragment: string, depth: number): string {
  if (/^!?\//.test(fragment)) return clean(fragment, depth);
  return fragment.includes('=') ? cleanQuery(fragment, depth) : cleanSegment(fragment, depth);
}

function cleanQuery(query: string, depth: number): string {
  const pairs = query.split('&');
  const kept = pairs.map((pair) => cleanPair(pair, depth));
  return kept.every((pair, index) => pair === pairs[index]) ? query : kept.filter((pair) => pair !== null).join('&');
}

/** Returns null for a pair that is removed. */
function cleanPair(pair: string, depth: number): string | null {
  const at = AT.test(pair) && ACCOUNT.test(decodeFully(pair, false)) ? -1 : pair.indexOf('=');
  if (at < 0) return VALUE_HINT.test(pair) ? (cleanNested(pair, depth) ?? cleanPart(pair, 'words', true)) : pair;
  const kind = kindOf(pair.slice(0, at));
  if (kind === 'personal') return null;
  const value = pair.slice(at + 1);
  if (!VALUE_HINT.test(value)) return pair;
  return pair.slice(0, at + 1) + (cleanNested(value, depth) ?? cleanPart(value, kind, true));
}

/** Query names are few and recur. */
const KINDS = new Map<string, TextKind | 'personal'>();
const KINDS_KEPT = 2_000;
const KEPT_LENGTH = 64;

function kindOf(encoded: string): TextKind | 'personal' {
  const known = KINDS.get(encoded);
  if (known !== undefined) return known;
  const name = decodeFully(encoded, true);
  const isPersonal = isPersonalKey(name) || withoutContacts(name) !== name;
  const kind = isPersonal ? 'personal' : isIdKey(name) ? 'ids' : 'words';
  if (KINDS.size >= KINDS_KEPT) KINDS.clear();
  if (encoded.length <= KEPT_LENGTH) KINDS.set(encoded, kind);
  return kind;
}

/** Cleans a value that is an address or a query itself; null when it is not, or when nothing in it is personal. */
function cleanNested(value: string, depth: number): string | null {
  if (depth >= MAX_DEPTH || !NESTED.test(value)) return null;
  const text = decodeFully(value, false);
  const isAddress = hasAccount(text);
  if (!isAddress && !text.includes('=')) return null;
  const cleaned = isAddress || /[?#]/.test(text) ? clean(text, depth + 1) : cleanQuery(text, depth + 1);
  return cleaned === text ? null : encode(cleaned);
}

/** Cleans one part. @param isOfQuery a plus stands for a space, unless it belongs to a number or an e-mail address */
function cleanPart(part: string, kind: TextKind, isOfQuery = false): string {
  const text = decodeFully(part, false);
  const kept = withoutContacts(text, kind);
  if (kept !== text) return encode(isOfQuery ? withoutContacts(kept.replace(/\+/g, ' '), kind) : kept);
  if (!isOfQuery || !part.includes('+')) return part;
  const spaced = decodeFully(part, true);
  const without = withoutContacts(spaced, kind);
  return without === spaced ? part : encode(without);
}

function decodeFully(text: string, isOfQuery: boolean): string {
  let decoded = isOfQuery ? text.replace(/\+/g, ' ') : text;
  for (let time = 0; time < MAX_DECODINGS && decoded.includes('%'); time += 1) {
    const next = decode(decoded);
    if (next === decoded) break;
    decoded = next;
  }
  return decoded;
}

/** If the text is not UTF-8, only the escapes of ASCII are decoded, because older encodings share those. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
}

function encode(text: string): string {
  return encodeURIComponent(text.replace(LONE_SURROGATES, '\ufffd'))
    .replace(/%3A/g, ':')
    .replace(/%5Bemail%5D/g, EMAIL_MARK)
    .replace(/%5Bphone%5D/g, PHONE_MARK);
}
