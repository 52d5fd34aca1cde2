/**
 * Finds hosts, apps and values of utm_source in the lists. The index is built once; a search checks each suffix of a
 * host name.
 */
import { getPublicSuffix } from 'tldts';
import { MAX_HOST_LENGTH } from '../../../domain/sites/hosts.ts';
import { AD_SYSTEMS } from './lists/adSystems.ts';
import { AI_ASSISTANTS } from './lists/assistants.ts';
import type { Listed, ListedType } from './lists/listed.ts';
import { MAIL_SERVICES } from './lists/mailServices.ts';
import { MESSENGERS } from './lists/messengers.ts';
import { PAYMENT_AND_SIGN_IN_HOSTS } from './lists/paymentAndSignIn.ts';
import { RECOMMENDATION_SYSTEMS } from './lists/recommendation.ts';
import { SAVED_COPIES } from './lists/savedCopies.ts';
import { SEARCH_ENGINES } from './lists/searchEngines.ts';
import { SOCIAL_NETWORKS } from './lists/socialNetworks.ts';

export interface ListedSource {
  type: ListedType;
  name: string;
  /** Query parameters with the phrase; empty unless this is a search engine. */
  phrase: readonly string[];
}

export const LISTS: Readonly<Record<ListedType, readonly Listed[]>> = {
  organic: SEARCH_ENGINES,
  social: SOCIAL_NETWORKS,
  messenger: MESSENGERS,
  ai_assistant: AI_ASSISTANTS,
  email: MAIL_SERVICES,
  recommendation: RECOMMENDATION_SYSTEMS,
  saved: SAVED_COPIES,
  ad: AD_SYSTEMS,
};

/** .com, .cat (Google's Catalan) and country suffixes: google.ru, google.co.uk, google.com.tr. */
const COUNTRY_SUFFIX = /^(?:com|cat|(?:com?\.)?[a-z]{2})$/;

const hosts = new Map<string, ListedSource>();
const apps = new Map<string, ListedSource>();
const words = new Map<string, ListedSource>();
const adWords = new Map<string, string>();

for (const [type, list] of Object.entries(LISTS) as [ListedType, readonly Listed[]][]) {
  for (const listed of list) index(type, listed);
}

function index(type: ListedType, listed: Listed): void {
  const found: ListedSource = { type, name: listed.name, phrase: split(listed.phrase) };
  for (const host of split(listed.hosts)) hosts.set(host, found);
  for (const app of split(listed.apps)) apps.set(app, found);
  for (const word of [listed.name.toLowerCase(), ...split(listed.aliases)]) {
    if (type === 'ad') adWords.set(word, listed.name);
    else words.set(word, found);
  }
}

function split(words: string | undefined): string[] {
  return words === undefined ? [] : words.split(' ');
}

const paymentAndSignInApps = new Set(PAYMENT_AND_SIGN_IN_HOSTS.flatMap((listed) => split(listed.apps)));
const paymentAndSignInHosts = new Map(
  PAYMENT_AND_SIGN_IN_HOSTS.flatMap(({ name, hosts: listed }) => split(listed).map((host) => [host, name])),
);

/** Returns the entry of a host; null when it is not listed. @param host in lower case, as URL returns it */
export function findHost(host: string): ListedSource | null {
  const bare = withoutWww(host);
  const exact = hosts.get(`=${bare}`) ?? hosts.get(`=${withWildcardSuffix(bare)}`);
  return exact ?? findBelow(hosts, bare);
}

/**
 * Returns whether people are sent to this host to pay or to sign in, and come back afterwards.
 * @param host as for {@link findHost}
 */
export function isPaymentOrSignInHost(host: string): boolean {
  return findBelow(paymentAndSignInHosts, withoutWww(host)) !== null;
}

/** Does the same for the package name of an Android app. */
export function isPaymentOrSignInApp(name: string): boolean {
  return paymentAndSignInApps.has(name);
}

/**
 * Returns the entry of the host or of its nearest parent; null when neither has one, or the host is longer than a name
 * can be: an address has room for a thousand labels, and looking up each of them would take 10 ms.
 */
function findBelow<T>(entries: ReadonlyMap<string, T>, host: string): T | null {
  if (host.length > MAX_HOST_LENGTH) return null;
  let plain = host;
  let star = withWildcardSuffix(host) ?? '';
  while (plain !== '') {
    const found = entries.get(plain) ?? entries.get(star);
    if (found !== undefined) return found;
    // Both begin with the same labels.
    const label = plain.indexOf('.') + 1;
    plain = label === 0 ? '' : plain.slice(label);
    star = star.slice(label);
  }
  return null;
}

/** Replaces a country's suffix: `images.google.co.uk` → `images.google.*`. Returns null for any other suffix. */
function withWildcardSuffix(host: string): string | null {
  const suffix = getPublicSuffix(host);
  if (suffix === null || suffix === host || !COUNTRY_SUFFIX.test(suffix)) return null;
  return `${host.slice(0, -suffix.length)}*`;
}

/**
 * Returns the entry of an app; null when it is not listed.
 * @param name package name of an Android app, in lower case
 */
export function findApp(name: string): ListedSource | null {
  return apps.get(name) ?? null;
}

/** Looks up a value of utm_source: a listed name, an alias, or a host. Never returns an ad system or a saved copy. */
export function findSource(source: string): ListedSource | null {
  const word = source.toLowerCase();
  const found = words.get(word) ?? (word.includes('.') ? findHost(word) : null);
  return found === null || found.type === 'ad' || found.type === 'saved' ? null : found;
}

/** Returns the advertising system that utm_source means when the click was paid; null when it means none. */
export function findAdSystem(source: string): string | null {
  const word = source.toLowerCase();
  const known = adWords.get(word);
  if (known !== undefined) return known;
  const host = word.includes('.') ? findHost(word) : null;
  return host === null ? null : (adWords.get(host.name.toLowerCase()) ?? null);
}

export function withoutWww(host: string): string {
  return host.startsWith('www.') ? host.slice(4) : host;
}
