/** The page that the visitor sees: its address, its referrer and its title. */
import { pageUrl, withoutQuery } from './address.ts';
import type { TagEvent } from './event.ts';
import { LIMITS } from './tagLimits.ts';
import { cut } from './storableText.ts';

export interface Page {
  url: string;
  referrer: string;
  /** The page view until it is sent; its title may still change. */
  view: TagEvent | null;
  title: string;
}

export function firstPage(): Page {
  return { url: pageUrl(location.href), referrer: document.referrer, view: null, title: document.title };
}

/**
 * Updates the title: a single-page application sets it some time after the address, so until the next address it
 * belongs to this page.
 */
export function refreshTitle(page: Page): void {
  page.title = document.title;
  if (page.view) page.view.title = cut(page.title, LIMITS.title);
}

/**
 * Calls back after the address has changed without a page load. A rewrite of the query alone, as when advertising
 * parameters are removed, does not count as another page.
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
      // a page that forbids it gets no page views of its own
    }
  }
  addEventListener('popstate', () => quietly(() => changed(false)));
  addEventListener('hashchange', () => quietly(() => changed(false)));
  // Routers that use the Navigation API cause none of the above. Old browsers lack it, and pages may replace the
  // object.
  quietly(() =>
    navigation.addEventListener('currententrychange', ({ navigationType }) =>
      quietly(() => changed(navigationType === 'replace')),
    ),
  );
}

/** Runs `work` so that an error of the tag never reaches the page. */
export function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // the site's owner could do nothing about it on the visitor's device
  }
}
