/**
 * Rules of form for URLs that users give, and the verdict on those that name their target directly (IP literals,
 * localhost, the service itself). Other names are judged when they are resolved, at every connection: see vet.ts. Pure:
 * no name is resolved here.
 */
import { hasAtMost } from '../../domain/codePoints.ts';
import {
  CLOSED_RULES,
  isForbiddenAddress,
  isForbiddenHost,
  isInAllowList,
  type AddressRules,
} from './forbiddenAddresses.ts';

export type UrlFault = 'invalid_url' | 'forbidden_address' | 'too_long';
export type UrlVerdict = { ok: true; url: URL } | { ok: false; reason: UrlFault };

export interface MediaUrlOptions {
  /** Allows plain http to addresses in the allow-list, for development samples. Off by default. */
  readonly allowHttp?: boolean;
}

/** In characters (code points); the API's limit for every URL. */
const MAX_URL_LENGTH = 2048;

/** The addresses of `localhost` (RFC 6761, section 6.3); name servers are never asked for it. */
const LOOPBACK_ADDRESSES = ['127.0.0.1', '::1'] as const;

// Letters, digits, hyphens and dots only; an IPv6 literal is judged separately.
const ASCII_HOST = /^(?=.{1,254}$)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*\.?$/;
// `new URL()` drops tabs and line ends anywhere.
const CONTROL = /\p{Cc}/u;

/**
 * Checks a webhook URL by the content API's rules: https, public, at most 2048 characters, host in Latin form (xn-- for
 * internationalised names), no user:pass@, no # (not even an empty one), no underscore in the host. Any port and a
 * query are allowed.
 *
 * The text is judged as typed, before `new URL()` corrects it: characters that the parser would drop or convert (tabs,
 * backslashes, full-width digits, percent escapes in the host) make it invalid.
 */
export function checkWebhookUrl(text: string, rules: AddressRules = CLOSED_RULES): UrlVerdict {
  const parsed = parseTyped(text, ['https']);
  if (!parsed.ok) return parsed;
  const authority = typedAuthority(text);
  if (/[#\s]/.test(text) || !/^[\x21-\x7e]+$/.test(authority) || authority.includes('%')) return refuse('invalid_url');
  if (!isIpLiteral(parsed.url.hostname) && !ASCII_HOST.test(parsed.url.hostname)) return refuse('invalid_url');
  return isInternalTarget(parsed.url, rules) ? refuse('forbidden_address') : parsed;
}

/**
 * Checks the URL of a medium: https, at most 2048 characters, no user:pass@. A path with spaces or other scripts is
 * accepted (catalogues are full of them) and percent-encoded. With `allowHttp`, http is accepted, too, but only to the
 * allow-list: a literal is checked here, a name when it is resolved.
 */
export function checkMediaUrl(
  text: string,
  rules: AddressRules = CLOSED_RULES,
  options: MediaUrlOptions = {},
): UrlVerdict {
  const parsed = parseTyped(text, options.allowHttp ? ['https', 'http'] : ['https']);
  if (!parsed.ok) return parsed;
  if (isInternalTarget(parsed.url, rules)) return refuse('forbidden_address');
  const literal = literalAddresses(parsed.url.hostname);
  const plain = parsed.url.protocol === 'http:';
  if (plain && literal !== null && !literal.some((ip) => isInAllowList(ip, rules.allow))) return refuse('invalid_url');
  return parsed;
}

/** Returns a check of media URLs for schemas that check the length themselves. */
export function mediaUrlCheck(rules: AddressRules, options: MediaUrlOptions): (text: string) => boolean {
  return (text) => {
    const verdict = checkMediaUrl(text, rules, options);
    return verdict.ok || verdict.reason === 'too_long';
  };
}

/**
 * Returns the addresses of a host that needs no resolution: an IP literal (as `new URL()` spells it, with or without
 * brackets) or localhost. Null for every other name.
 */
export function literalAddresses(hostname: string): string[] | null {
  if (isLocalhost(hostname)) return [...LOOPBACK_ADDRESSES];
  if (!isIpLiteral(hostname)) return null;
  return [hostname.replace(/^\[|\]$/g, '')];
}

export function isLocalhost(hostname: string): boolean {
  return /(^|\.)localhost\.?$/i.test(hostname);
}

/** Returns the port of a URL, by default that of the scheme. */
export function portOf(url: { protocol: string; port: string }): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'http:' ? 80 : 443;
}

/** `new URL()` has already converted decimal, octal, hex and short spellings of IPv4 to four decimals. */
function isIpLiteral(hostname: string): boolean {
  return hostname.includes(':') || /^\d+\.\d+\.\d+\.\d+$/.test(hostname);
}

/**
 * Returns true when the URL leads to the service or its network. localhost does, unless a loopback address is allowed,
 * in which case vet.ts uses only that address. A name of the service itself is refused here when nothing is allowed,
 * otherwise once it is resolved.
 */
function isInternalTarget(url: URL, rules: AddressRules): boolean {
  if (isForbiddenHost(url.hostname, [], rules, portOf(url))) return true;
  const literal = literalAddresses(url.hostname);
  return literal !== null && literal.every((ip) => isForbiddenAddress(ip, rules, portOf(url)));
}

function parseTyped(text: string, schemes: readonly string[]): UrlVerdict {
  if (!hasAtMost(text, MAX_URL_LENGTH)) return refuse('too_long');
  const scheme = /^([a-z]+):\/\/[^/\\?#]/i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined || !schemes.includes(scheme)) return refuse('invalid_url');
  if (CONTROL.test(text) || !URL.canParse(text)) return refuse('invalid_url');
  // Checked in the text instead of the parsed parts, where an empty user:pass@ leaves no trace.
  if (/[@\\]/.test(typedAuthority(text))) return refuse('invalid_url');
  return { ok: true, url: new URL(text) };
}

/** Returns the text between the scheme and the path. A backslash is kept in it, so that it can be refused. */
function typedAuthority(text: string): string {
  return text.slice(text.indexOf('://') + 3).split(/[/?#]/, 1)[0] ?? '';
}

function refuse(reason: UrlFault): UrlVerdict {
  return { ok: false, reason };
}
