/** Where hits may come from: the hosts of the pages, and that of the page that sends. */
import { listsHost } from '../../domain/siteHosts.ts';

/**
 * Host of a page; empty for a file, which has none: only a site that lists every host takes it.
 * @returns null when the text is no address of a page
 */
export function pageHost(url: string): string | null {
  const page = URL.parse(url);
  if (page === null) return null;
  if (page.protocol === 'https:' || page.protocol === 'http:') return page.hostname;
  return page.protocol === 'file:' ? '' : null;
}

/**
 * Whether a site takes what comes from there. What is no address is the fault of its event, not of the request.
 * @param origin the header, when there is one; an opaque one (`null`) has no host
 * @param events of any form
 */
export function listsAll(hosts: readonly string[], origin: string | undefined, events: unknown): boolean {
  if (hosts.includes('*')) return true;
  if (origin !== undefined && !listsHost(hosts, URL.parse(origin)?.hostname ?? '')) return false;
  return (
    !Array.isArray(events) ||
    events.every((event: unknown) => {
      const url = typeof event === 'object' && event !== null && 'url' in event ? event.url : null;
      const host = typeof url === 'string' ? pageHost(url) : null;
      return host === null || listsHost(hosts, host);
    })
  );
}
