/** Addresses of pages and links. */
import { LIMITS } from '../data/tagLimits.ts';
import { cut } from '../data/storableText.ts';

/** Extensions of links that save a file instead of opening a page. */
const DOWNLOADS =
  /\.(?:7z|aac|apk|avi|bz2|csv|deb|dmg|docx?|epub|exe|fb2|flac|gz|ics|iso|jar|key|m4[av]|mkv|mobi|mov|mp[34]|msi|numbers|od[pst]|ogg|pages|pdf|pkg|pptx?|rar|rpm|rtf|tar|tgz|torrent|txt|wav|webm|wm[av]|xlsx?|xml|xz|zip)$/i;

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
    return cut(url.href, LIMITS.url);
  } catch {
    return cut(address, LIMITS.url);
  }
}

/**
 * Returns the part of an address that identifies the page when its query is rewritten in place: everything but the
 * query.
 */
export function withoutQuery(url: string): string {
  return url.replace(/\?[^#]*/, '');
}

export function isDownload(path: string): boolean {
  return DOWNLOADS.test(path);
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
