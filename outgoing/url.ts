/**
 * Form rules for addresses that users give, and the verdict on those that name their target
 * outright (IP literals, localhost, the service itself). Other names are judged when they are resolved, at every
 * connection: see vet.ts. Pure: no name is resolved here.
 */
import { CLOSED_RULES, isForbiddenAddress, isForbiddenHost, isOpenedAddress, type AddressRules } from './address.ts';

export type UrlFault = 'invalid_url' | 'forbidden_address' | 'too_long';
export type UrlVerdict = { ok: true; url: URL } | { ok: false; reason: UrlFault };

export interface MediaUrlOptions {
  /** Plain http to an address opened by the allow-list, for development samples. Off by default. */
  readonly allowHttp?: boolean;
}

/** Characters (code points), the API's limit for every URL. */
export const MAX_URL_LENGTH = 2048;

/** What `localhost` means (RFC 6761, section 6.3): never asked of a name server. */
export const LOOPBACK_ADDRESSES = ['127.0.0.1', '::1'] as const;

// Beyond letters, digits and hyphens only dots; an IPv6 literal is judged on its own.
const LATIN_HOST = /^(?=.{1,254}$)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*\.?$/;
// `new URL()` drops tabs and line ends wherever they stand.
const CONTROL = /\p{Cc}/u;

/**
 * The content API's rules for a webhook address: https, public, at most 2048 characters, host in
 * latin form (xn-- for internationalised names), no user:pass@, no # (an empty one included), no
 * underscore in the host. Any port and a query are allowed.
 *
 * The text is judged as typed, before `new URL()` mends it: characters that the parser would drop
 * or convert (tabs, backslashes, full-width digits, percent escapes in the host) are faults of form.
 */
export function checkWebhookUrl(text: string, rules: AddressRules = CLOSED_RULES): UrlVerdict {
  const parsed = parseTyped(text, ['https']);
  if (!parsed.ok) return parsed;
  const authority = typedAuthority(text);
  if (/[#\s]/.test(text) || !/^[\x21-\x7e]+$/.test(authority) || authority.includes('%')) return refuse('invalid_url');
  if (!isIpLiteral(parsed.url.hostname) && !LATIN_HOST.test(parsed.url.hostname)) return refuse('invalid_url');
  return leadsInside(parsed.url, rules) ? refuse('forbidden_address') : parsed;
}

/**
 * The rules for the address of a medium: https, at most 2048 characters, no user:pass@. A path with
 * spaces or other scripts is taken (catalogues are full of them) and percent-encoded. With
 * `allowHttp`, http is taken too, but only towards the allow-list: a literal is checked here, a name
 * when it resolves.
 */
export function checkMediaUrl(
  text: string,
  rules: AddressRules = CLOSED_RULES,
  options: MediaUrlOptions = {},
): UrlVerdict {
  const parsed = parseTyped(text, options.allowHttp ? ['https', 'http'] : ['https']);
  if (!parsed.ok) return parsed;
  if (leadsInside(parsed.url, rules)) return refuse('forbidden_address');
  const literal = literalAddresses(parsed.url.hostname);
  const plain = parsed.url.protocol === 'http:';
  if (plain && literal !== null && !literal.some((ip) => isOpenedAddress(ip, rules.allow)))
    return refuse('invalid_url');
  return parsed;
}

/** Judges a text as the address of a medium where a schema has its length judged already. */
export function mediaUrlJudge(rules: AddressRules, options: MediaUrlOptions): (text: string) => boolean {
  return (text) => {
    const verdict = checkMediaUrl(text, rules, options);
    return verdict.ok || verdict.reason === 'too_long';
  };
}

/**
 * The addresses that a host names without any resolution: an IP literal (as `new URL()` spells it,
 * brackets or not) or localhost. Null for every other name.
 */
export function literalAddresses(hostname: string): string[] | null {
  if (isLocalhost(hostname)) return [...LOOPBACK_ADDRESSES];
  if (!isIpLiteral(hostname)) return null;
  return [hostname.replace(/^\[|\]$/g, '')];
}

export function isLocalhost(hostname: string): boolean {
  return /(^|\.)localhost\.?$/i.test(hostname);
}

/** The port of a URL as a number, the scheme's own when none is written. */
export function portOf(url: { protocol: string; port: string }): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'http:' ? 80 : 443;
}

/** `new URL()` has already turned decimal, octal, hex and short spellings of IPv4 into four decimals. */
function isIpLiteral(hostname: string): boolean {
  return hostname.includes(':') || /^\d+\.\d+\.\d+\.\d+$/.test(hostname);
}

/**
 * localhost leads inside unless at least one loopback address is open: vet.ts then uses only that one.
 * A name of the service's own is refused here when nothing is opened, otherwise once it is resolved.
 */
function leadsInside(url: URL, rules: AddressRules): boolean {
  if (isForbiddenHost(url.hostname, [], rules, portOf(url))) return true;
  const literal = literalAddresses(url.hostname);
  return literal !== null && literal.every((ip) => isForbiddenAddress(ip, rules, portOf(url)));
}

function parseTyped(text: string, schemes: readonly string[]): UrlVerdict {
  if ([...text].length > MAX_URL_LENGTH) return refuse('too_long');
  const scheme = /^([a-z]+):\/\/[^/\\?#]/i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined || !schemes.includes(scheme)) return refuse('invalid_url');
  if (CONTROL.test(text) || !URL.canParse(text)) return refuse('invalid_url');
  // Seen in the text, not in the parsed parts: an empty user:pass@ leaves no trace there.
  if (/[@\\]/.test(typedAuthority(text))) return refuse('invalid_url');
  return { ok: true, url: new URL(text) };
}

/** What stands between the scheme and the path. A backslash is kept in it, so that it can be refused. */
function typedAuthority(text: string): string {
  return text.slice(text.indexOf('://') + 3).split(/[/?#]/, 1)[0] ?? '';
}

function refuse(reason: UrlFault): UrlVerdict {
  return { ok: false, reason };
}
