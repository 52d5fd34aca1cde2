/** Identifies the visitor: `_svc_a`, a UUID in a first-party cookie. */
import { isUuidInAnyCase } from '../../domain/uuid.ts';

const NAME = '_svc_a';
/** 13 months of 365.25 / 12 days each; browsers allow 400 days. */
const MAX_AGE_S = 34_190_000;

export interface Visitor {
  id(): string;
  /**
   * The widest domain for which this page may set cookies: the site's registrable domain; null on addresses without
   * one.
   */
  domain: string | null;
  /** False where cookies are blocked: the visitor is then known for the session only, and nothing else is kept. */
  hasCookies: boolean;
  /** Extends the cookie to 13 months from now. */
  renew(): void;
}

export function openVisitor(): Visitor {
  const domain = widestDomain(location.hostname);
  const write = (id: string): void => writeCookie(NAME, id, domain, MAX_AGE_S);
  let id = readCookie() ?? newUuid();
  write(id);
  const hasCookies = readCookie() !== null;
  if (!hasCookies) id = sessionVisitorId(id);
  // Two tabs that open at once each create a visitor; the cookie decides which one stays, so a renewal keeps its value.
  const current = (): string => (id = (hasCookies && readCookie()) || id);
  return { domain, hasCookies, id: current, renew: () => write(current()) };
}

/** Deletes the cookie and its substitute. */
export function deleteVisitor(): void {
  if (readCookie() !== null)
    for (const domain of [null, widestDomain(location.hostname)]) writeCookie(NAME, '', domain, 0);
  try {
    sessionStorage.removeItem(NAME);
  } catch {
    // forbidden
  }
}

/** Keeps the visitor in sessionStorage; without it, the visitor lasts as long as the page. */
function sessionVisitorId(id: string): string {
  try {
    const known = sessionStorage.getItem(NAME);
    if (known !== null && isUuidInAnyCase(known)) return known;
    sessionStorage.setItem(NAME, id);
  } catch {
    // forbidden
  }
  return id;
}

/** Returns the first value that is a UUID: a cookie of this host alone may exist besides that of the domain. */
function readCookie(): string | null {
  try {
    for (const pair of document.cookie.split('; ')) {
      const value = pair.slice(NAME.length + 1);
      if (pair.startsWith(`${NAME}=`) && isUuidInAnyCase(value)) return value.toLowerCase();
    }
  } catch {
    // a sandboxed frame has no cookies
  }
  return null;
}

function writeCookie(name: string, value: string, domain: string | null, maxAge: number): void {
  const parts = [`${name}=${value}`, 'Path=/', `Max-Age=${maxAge}`, 'SameSite=Lax'];
  if (domain !== null) parts.push(`Domain=${domain}`);
  if (location.protocol === 'https:') parts.push('Secure');
  try {
    document.cookie = parts.join('; ');
  } catch {
    // a sandboxed frame has no cookies
  }
}

/**
 * Browsers refuse cookies for public suffixes (co.uk), so the first domain that accepts one is the registrable domain.
 */
function widestDomain(host: string): string | null {
  const labels = host.split('.');
  if (labels.length < 2 || /^[\d.]+$|:/.test(host)) return null;
  for (let first = labels.length - 2; first >= 0; first -= 1) {
    const domain = labels.slice(first).join('.');
    const probe = `${NAME}_t`;
    writeCookie(probe, '1', domain, 10);
    const sticks = hasCookie(`${probe}=1`);
    writeCookie(probe, '', domain, 0);
    if (sticks) return domain;
  }
  return null;
}

function hasCookie(pair: string): boolean {
  try {
    return `; ${document.cookie};`.indexOf(`; ${pair};`) >= 0;
  } catch {
    return false;
  }
}

/** Returns a UUID of version 4. crypto.randomUUID exists only on https pages. */
export function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  let text = '';
  for (const byte of bytes) text += (byte + 0x100).toString(16).slice(1);
  return text.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
