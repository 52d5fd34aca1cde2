/** Addresses of pages and links. */
import { ADDRESS_MAX_LENGTH } from '../../../domain/collect/tagEventLimits.ts';
import { cut } from '../data/storableText.ts';

/**
 * A fragment that a router reads, `#/cart` or `#!/cart`, is part of the page's address; any other fragment is a
 * position on the page.
 */
const ROUTE = /^#!?\//;

/**
 * Returns the address as it is reported: without credentials, and without a fragment unless it is a route. Other
 * fragments may carry tokens and never make another page.
 */
export function pageUrl(address: string): string {
  try {
    const url = new URL(address);
    url.username = '';
    url.password = '';
    if (!ROUTE.test(url.hash)) url.hash = '';
    return cut(url.href, ADDRESS_MAX_LENGTH);
  } catch {
    return cut(address, ADDRESS_MAX_LENGTH);
  }
}

/**
 * Returns the part of an address that identifies the page when its query is rewritten in place: everything but the
 * query.
 */
export function withoutQuery(url: string): string {
  return url.replace(/\?[^#]*/, '');
}

/**
 * @param host host of a link
 * @param pageHost host of the page
 * @param domain domain of the visitor's cookie, or null
 */
export function isOwnHost(host: string, pageHost: string, domain: string | null): boolean {
  return bare(host) === bare(pageHost) || (domain !== null && `.${host}`.endsWith(`.${domain}`));
}

function bare(host: string): string {
  return host.replace(/^www\./, '');
}
