/** Classifies the referrer: none, a page of the site itself, a listed service, another site, or unreadable. */
import { hostOf, isWeb, parseAddress, registrableDomain, shownAddress, shownDomain, storedText } from './address.ts';
import {
  findApp,
  findHost,
  isPaymentOrSignInHost,
  isPaymentOrSignInApp,
  withoutWww,
  type ListedSource,
} from './findInLists.ts';

export type Referrer =
  | { kind: 'none' | 'unreadable' | 'saved' }
  | { kind: 'internal' | 'passing' | 'site'; domain: string; url: string }
  | { kind: 'listed'; domain: string; url: string; found: ListedSource; phrase: string | null };

/** Apps that open a link in the browser identify themselves: android-app://<package>/… */
const APP_PROTOCOL = 'android-app:';
/** A file on the visitor's disk, or an attachment that the visitor opened. */
const SAVED_PROTOCOLS: ReadonlySet<string> = new Set(['file:', 'content:', 'mhtml:']);
/** First labels of hosts that serve a company's own web mail. */
const WEB_MAIL: ReadonlySet<string> = new Set(['mail', 'webmail', 'roundcube', 'owa']);

export interface SiteReferrers {
  /** The site's own hosts, from its settings: exact, `*.example.com`, or `*`. */
  hosts: readonly string[];
  /** Hosts whose referrals continue the visit; each includes its subdomains. */
  ignored: readonly string[];
}

export function readReferrer(text: string | null, page: URL | null, { hosts, ignored }: SiteReferrers): Referrer {
  if (text === null || text.trim() === '') return { kind: 'none' };
  const url = parseAddress(text.trim());
  if (url === null) return { kind: 'unreadable' };
  if (SAVED_PROTOCOLS.has(url.protocol)) return { kind: 'saved' };
  const host = hostOf(url);
  if (host === '') return { kind: 'unreadable' };
  if (url.protocol === APP_PROTOCOL) return appReferrer(host, url);
  if (!isWeb(url)) return { kind: 'unreadable' };
  const described = { domain: shownDomain(registrableDomain(host)), url: shownAddress(url) };
  if (isOwn(host, page, hosts)) return { kind: 'internal', ...described };
  if (isIgnored(host, ignored) || isPaymentOrSignInHost(host)) return { kind: 'passing', ...described };
  const found = findHost(host) ?? webMail(host);
  return found === null
    ? { kind: 'site', ...described }
    : { kind: 'listed', ...described, found, phrase: phraseOf(url, found) };
}

export function isSavedPage(page: URL | null): boolean {
  return page !== null && (SAVED_PROTOCOLS.has(page.protocol) || findHost(hostOf(page))?.type === 'saved');
}

function appReferrer(name: string, url: URL): Referrer {
  const described = { domain: name, url: shownAddress(url) };
  if (isPaymentOrSignInApp(name)) return { kind: 'passing', ...described };
  const found = findApp(name);
  return found === null ? { kind: 'site', ...described } : { kind: 'listed', ...described, found, phrase: null };
}

/**
 * Returns true for a host of the site. With `*` the settings name no host, so every host on the page's registrable
 * domain counts.
 */
function isOwn(host: string, page: URL | null, hosts: readonly string[]): boolean {
  const pageHost = page === null ? '' : hostOf(page);
  if (withoutWww(host) === withoutWww(pageHost)) return true;
  return hosts.some((own) => {
    if (own === '*') return registrableDomain(host) === registrableDomain(pageHost);
    return own.startsWith('*.') ? host.endsWith(own.slice(1)) : withoutWww(host) === withoutWww(own);
  });
}

function isIgnored(host: string, ignored: readonly string[]): boolean {
  return ignored.some((listed) => {
    const name = listed.startsWith('*.') ? listed.slice(2) : listed;
    return host.endsWith(`.${name}`) || (host === name && name === listed);
  });
}

function webMail(host: string): ListedSource | null {
  const domain = registrableDomain(host);
  const label = host.slice(0, host.indexOf('.'));
  return host !== domain && WEB_MAIL.has(label) ? { type: 'email', name: shownDomain(domain), phrase: [] } : null;
}

function phraseOf(url: URL, found: ListedSource): string | null {
  if (found.phrase.length === 0 || url.search === '') return null;
  for (const parameter of found.phrase) {
    const phrase = storedText(url.searchParams.get(parameter));
    if (phrase !== null) return phrase;
  }
  return null;
}
