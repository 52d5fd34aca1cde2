/** Addresses of pages and referrers, read with bounds. */
import { domainToUnicode } from 'node:url';
import { getDomain } from 'tldts';

/** As the intake has it; what is longer was never a right address. */
const ADDRESS_CHARACTERS = 2048;

/** Of texts of a source, in code points: domain/trafficSource.ts. */
const TEXT_CHARACTERS = 500;

const CONTROLS = /\p{Cc}+/gu;

export function parseAddress(text: string): URL | null {
  return text.length > ADDRESS_CHARACTERS ? null : URL.parse(text);
}

export function isWeb(url: URL): boolean {
  return url.protocol === 'https:' || url.protocol === 'http:';
}

/** Lower case, without the dot of the root. Empty for addresses without a host. */
export function hostOf(url: URL): string {
  const host = url.hostname.toLowerCase();
  return host.endsWith('.') ? host.slice(0, -1) : host;
}

/**
 * The part of a host name that somebody registered: `news.example.co.uk` → `example.co.uk`; blogs and shops below
 * a platform's domain (`name.blogspot.com`) are sites of their own. The host itself when there is no such part.
 */
export function registrableDomain(host: string): string {
  return getDomain(host, { allowPrivateDomains: true }) ?? host;
}

/** How reports show a domain: `пример.рф`, not `xn--…`. */
export function shownDomain(host: string): string {
  return domainToUnicode(host) || host;
}

/** Without what may be secret (account) or says nothing of the page (fragment). At most 2,048 characters. */
export function shownAddress(url: URL): string {
  if (url.username === '' && url.password === '' && url.hash === '') return url.href.slice(0, ADDRESS_CHARACTERS);
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  shown.hash = '';
  return shown.href.slice(0, ADDRESS_CHARACTERS);
}

/** A text from an address as it is stored: one line, well formed, at most 500 characters; null for nothing. */
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
