/** Values of a single page view. Hits of a visit are ordered by time and id. */
import type { HitRow } from '../../../../domain/reports/lakeRows.ts';
import type { SiteView } from '../world/world.ts';

/** Returns the seconds until the next page view of the visit, or until its end for the last one. */
export function secondsOnPage(hit: HitRow, view: SiteView): number {
  const visit = view.visitById.get(hit.visit_id);
  if (visit === undefined) return 0;
  const pages = view.hitsOf(visit).filter(({ type }) => type === 'pageview');
  const next = pages[pages.indexOf(hit) + 1];
  return ((next?.at ?? visit.ended_at) - hit.at) / 1000;
}

/** Returns the deepest later scroll of the same URL, up to the next page view of that URL. */
export function scrollDepth(hit: HitRow, view: SiteView): number {
  const visit = view.visitById.get(hit.visit_id);
  if (visit === undefined) return 0;
  const same = view.hitsOf(visit).filter(({ page_url }) => page_url === hit.page_url);
  let deepest = 0;
  for (const after of same.slice(same.indexOf(hit) + 1)) {
    if (after.type === 'pageview') break;
    if (after.type === 'scroll') deepest = Math.max(deepest, after.depth ?? 0);
  }
  return deepest;
}
