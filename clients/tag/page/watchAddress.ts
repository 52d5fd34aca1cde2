/** Tells when the visitor moves to another page without a page load. */
import { pageUrl, withoutQuery } from './address.ts';
import { quietly } from './page.ts';

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
      // If the page forbids replacing the method, changes of address by this method are not seen here.
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
