/** The common part of conversions and orders, in the database and in the lake. */
import type { FactRow } from '../../domain/reports/lakeRows.ts';
import { visitorBucket } from '../../domain/reports/visitorSample.ts';

/** The common columns of facts in the database. */
export interface StoredFact {
  site_id: string;
  visitor_id: string | null;
  user_id: string | null;
  visit_id: string | null;
  visit_started_at: Date | null;
  weight: number;
}

/** Returns the common columns of facts in the lake. */
export function factRow(fact: StoredFact, at: Date): FactRow {
  return {
    site_id: fact.site_id,
    visitor_id: fact.visitor_id,
    visitor_bucket: visitorBucket(fact.visitor_id ?? fact.user_id ?? ''),
    user_id: fact.user_id,
    visit_id: fact.visit_id,
    visit_started_at: fact.visit_started_at?.getTime() ?? null,
    at: at.getTime(),
    weight: fact.weight,
  };
}
