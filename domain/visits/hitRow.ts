/** The row of a hit. */
import type { CollectedEvent } from '../collect/collected.ts';
import type { HitRow } from '../reports/lakeRows.ts';
import type { SiteRules } from './siteRulesAndRequest.ts';
import type { Visit } from './visitState.ts';

export function hitRow(rules: SiteRules, { row }: Visit, event: CollectedEvent, weight: number): HitRow {
  const page = rules.pageOf(event.url);
  return {
    site_id: row.site_id,
    hit_id: event.key,
    visit_id: row.visit_id,
    visitor_id: row.visitor_id,
    visitor_bucket: row.visitor_bucket,
    at: event.at,
    visit_started_at: row.started_at,
    type: event.type,
    weight,
    page_url: event.url,
    page_domain: page.domain,
    page_path: page.path,
    page_title: event.title,
    referrer: event.referrer,
    name: event.name,
    params: event.params === null ? null : JSON.stringify(event.params),
    target: event.target,
    target_domain: event.target === null ? null : rules.pageOf(event.target).domain || null,
    depth: event.depth,
    x: event.x,
    y: event.y,
    selector: event.selector,
    ...event.layout,
  };
}
