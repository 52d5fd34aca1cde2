/** Visits as the cabinet lists them, from the data that PostgreSQL keeps about each of them (db/sites/retention.ts). */

export interface VisitBrief {
  id: string;
  startedAt: Date;
  endedAt: Date;
  pageviews: number;
  /** Number of conversions, reported by the tag or the API. */
  goals: number;
  entryPage: string | null;
  exitPage: string | null;
  /** The last significant source, as in reports. */
  sourceType: string | null;
  sourceName: string | null;
  deviceType: string | null;
  browser: string | null;
  os: string | null;
  country: string | null;
  region: string | null;
  city: string | null;
  isRobot: boolean;
}

/** Returns SQL of the row of a visit, for a lateral join: its JSON is read once. */
export const visitRow = (visit = 'v', row = 'x'): string => `json_to_record(${visit}.state->'row') ${row} (
  entry_url text, exit_url text, pageviews int, source_last_significant json, device_type text, browser text, os text,
  country text, region text, city text, is_robot boolean)`;

/** Columns of a visit `v` and its row `x`. */
export const VISIT_COLUMNS = `v.visit_id as id, v.started_at as "startedAt", v.last_hit_at as "endedAt", coalesce(x.pageviews, 0) as pageviews, v.goals,
  x.entry_url as "entryPage", x.exit_url as "exitPage",
  x.source_last_significant->>'source_type' as "sourceType", x.source_last_significant->>'source_name' as "sourceName",
  x.device_type as "deviceType", x.browser, x.os, x.country, x.region, x.city, coalesce(x.is_robot, false) as "isRobot"`;
