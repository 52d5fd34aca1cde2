/** The page that the visitor sees: its address, where it was come from, and how it is called. */
import { pageUrl, withoutQuery } from './address.ts';
import type { TagEvent } from './event.ts';
import { LIMITS } from './limits.ts';
import { cut } from './text.ts';

export interface Page {
  url: string;
  referrer: string;
  /** Its page view, until it is sent: its title may still change. */
  view: TagEvent | null;
  title: string;
}

export function firstPage(): Page {
  return { url: pageUrl(location.href), referrer: document.referrer, view: null, title: document.title };
}

/** A single-page application sets the title some time after the address, so until the next one it is this page's. */
export function refreshTitle(page: Page): void {
  page.title = document.title;
  if (page.view) page.view.title = cut(page.title, LIMITS.title);
}

/**
 * Calls back after the address has changed without a load of the page. A rewrite in place of the query
 * alone, as when marks of an advertisement are removed, is no other page.
 */
export function watchAddress(onChange: () => void): void {
  let known = pageUrl(location.href);
  const changed = (isRewrite: boolean): void => {
    const before = known;
    known = pageUrl(location.href);
    if (known === before || (isRewrite && withoutQuery(known) === withoutQuery(before))) return;
    onChange();
  };
  for (const method of ['pushState', 'replaceState'] as const) {
    try {
      const original = history[method];
      history[method] = function (this: History, ...args) {
        original.apply(this, args);
        quietly(() => changed(method === 'replaceState'));
      };
    } catch {
      // a page that forbids it has no views of its own
    }
  }
  addEventListener('popstate', () => quietly(() => changed(false)));
  addEventListener('hashchange', () => quietly(() => changed(false)));
}

/** A fault of the tag is never one of the page. */
export function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // nothing that the site's owner could do on the visitor's device
  }
}
