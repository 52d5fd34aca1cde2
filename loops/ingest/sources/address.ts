/** Reads addresses of pages and referrers, with limits on their length. */
import { domainToUnicode } from 'node:url';
import { getDomain } from 'tldts';
import { ADDRESS_MAX_LENGTH } from '../../../domain/collect/tagEventLimits.ts';

/** Maximum length of a source's texts, in code points, as in domain/sites/trafficSource.ts. */
const TEXT_CHARACTERS = 500;

const CONTROLS = /\p{Cc}+/gu;

/** A text over the limit of the intake was never a valid address. */
export function parseAddress(text: string): URL | null {
  return text.length > ADDRESS_MAX_LENGTH ? null : URL.parse(text);
}

export function isWeb(url: URL): boolean {
  return url.protocol === 'https:' || url.protocol === 'http:';
}

/** Returns the host in lower case, without the root dot; empty for addresses without a host. */
export function hostOf(url: URL): string {
  const host = url.hostname.toLowerCase();
  return host.endsWith('.') ? host.slice(0, -1) : host;
}

/**
 * Returns the registrable part of a host name: `news.example.co.uk` → `example.co.uk`. Blogs and shops below a
 * platform's domain (`name.blogspot.com`) count as sites of their own. Returns the host itself when there is no such
 * part.
 */
export function registrableDomain(host: string): string {
  return getDomain(host, { allowPrivateDomains: true }) ?? host;
}

/** Returns a domain as reports show it: `пример.рф`, not `xn--…`. */
export function shownDomain(host: string): string {
  return domainToUnicode(host) || host;
}

/**
 * Returns the address without credentials, which may be secret, and without the fragment, which says nothing about the
 * page. At most 2,048 characters.
 */
export function shownAddress(url: URL): string {
  if (url.username === '' && url.password === '' && url.hash === '') return url.href.slice(0, ADDRESS_MAX_LENGTH);
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  shown.hash = '';
  return shown.href.slice(0, ADDRESS_MAX_LENGTH);
}

/** Returns a text from an address as it is stored: one line, well formed, at most 500 characters; null when empty. */
export function storedText(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  const line = text.toWellFormed().replace(CONTROLS, ' ').trim();
  if (line === '') return null;
  return line.length <= TEXT_CHARACTERS
    ? line
    : Array.from(line.slice(0, 2 * TEXT_CHARACTERS))
        .slice(0, TEXT_CHARACTERS)
        .join('')
        .toWellFormed()
        .trim();
}
