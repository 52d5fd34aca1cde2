/** Hosts that hits may come from: those of the pages, and that of the sending page. */
import { listsHost } from '../../../domain/sites/hosts.ts';

/**
 * Returns the host of a page; empty for a file, which has none and is accepted only by a site that lists every host.
 * @returns null when the text is not the URL of a page
 */
export function pageHost(url: string): string | null {
  const page = URL.parse(url);
  if (page === null) return null;
  if (page.protocol === 'https:' || page.protocol === 'http:') return page.hostname;
  return page.protocol === 'file:' ? '' : null;
}

/**
 * Returns true when a site accepts hits from these hosts. An invalid URL is the fault of its event, not of the request.
 * @param origin the header, if present; an opaque one (`null`) has no host
 * @param events of any form
 */
export function listsAll(hosts: readonly string[], origin: string | undefined, events: unknown): boolean {
  return unlistedHost(hosts, origin, events) === null;
}

/**
 * Returns the first host that a site does not accept; null when it accepts all of them. The arguments are those of
 * {@link listsAll}.
 */
export function unlistedHost(hosts: readonly string[], origin: string | undefined, events: unknown): string | null {
  if (hosts.includes('*')) return null;
  const sender = origin === undefined ? null : originHost(origin);
  if (sender !== null && !listsHost(hosts, sender)) return sender;
  for (const event of Array.isArray(events) ? events : []) {
    const host = hostOfEvent(event);
    if (host !== null && !listsHost(hosts, host)) return host;
  }
  return null;
}

/** Returns the source of a batch: the host of the sending page, or else of its first event; empty without a host. */
export function senderHost(origin: string | undefined, events: unknown): string {
  if (origin !== undefined) return originHost(origin);
  return (Array.isArray(events) && hostOfEvent(events[0])) || '';
}

const originHost = (origin: string): string => URL.parse(origin)?.hostname ?? '';

function hostOfEvent(event: unknown): string | null {
  const url = typeof event === 'object' && event !== null && 'url' in event ? event.url : null;
  return typeof url === 'string' ? pageHost(url) : null;
}
