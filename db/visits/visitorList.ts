/** Visitors of a site by their visits, the newest first. */
import { addressPartPattern } from '../../domain/visits/addresses/readableAddresses.ts';
import type { Queryable } from '../pool.ts';
import { VISIT_COLUMNS, visitRow, type VisitBrief } from './cabinetVisits.ts';

export interface ListedVisitor {
  visitorId: string;
  userId: string | null;
  /** Null and 0 until the first hits are ingested. */
  firstVisitAt: Date | null;
  lastVisitAt: Date | null;
  visits: number;
  recordings: number;
  /** The newest visit that matches; null when PostgreSQL has none. */
  visit: VisitBrief | null;
}

export interface VisitFilter {
  since: Date;
  until: Date;
  /** The code of a goal that was reached in the visit. */
  goal: string | null;
  sourceType: string | null;
  sourceName: string | null;
  /** A part of the address of its first or last page, case-insensitive. */
  page: string | null;
}

/** A position among visits. Microseconds matter, so the time is PostgreSQL text. */
export interface VisitPosition {
  startedAt: string;
  visitId: string;
}

export interface VisitorPage {
  visitors: (ListedVisitor & VisitPosition)[];
  /** The position where reading ended and more visits follow; null when all were read. */
  end: VisitPosition | null;
}

/**
 * Number of visits read for one response, whatever the filter: each costs PostgreSQL some 33 µs, mostly for its JSON.
 * A rare goal is therefore found by requesting further pages.
 */
const SCANNED = 2_000;
const POSITION = `to_char(v.started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
const VISITOR_COLUMNS = `p.visitor_id as "visitorId", p.user_id as "userId", p.first_visit_at as "firstVisitAt", p.last_visit_at as "lastVisitAt", p.visits,
  (select count(*)::int from site_recordings r where r.site_id = p.site_id and r.visitor_id = p.visitor_id and r.deleted_at is null and r.chunks > 0) as recordings`;

/** The visits of the site in the requested period, by the index of their start. */
const IN_SPAN = `v.site_id = $1 and v.started_at >= $2 and v.started_at < $3`;
const AFTER = `($4::timestamptz is null or (v.started_at, v.visit_id) < ($4, $5::uuid))`;

/** Returns the condition that a visit and its row match the filter. */
const matches = (visit: string, row: string): string => `
  not coalesce(${row}.is_robot, false)
  and ($6::text is null or (${visit}.goals > 0 and exists (select from site_conversions c
        where c.site_id = $1 and c.visitor_id = ${visit}.visitor_id and c.visit_id = ${visit}.visit_id and c.goal = $6)))
  and ($7::text is null or ${row}.source_last_significant->>'source_type' = $7)
  and ($8::text is null or ${row}.source_last_significant->>'source_name' = $8)
  and ($9::text is null or lower(${row}.entry_url) ~ $9 or lower(${row}.exit_url) ~ $9)`;

/** Returns each visitor once, with the newest visit that matches; robots are left out. */
export async function listVisitors(
  pool: Queryable,
  siteId: string,
  filter: VisitFilter,
  { after, limit }: { after: VisitPosition | null; limit: number },
): Promise<VisitorPage> {
  const { since, until, goal, sourceType, sourceName, page } = filter;
  const range = [siteId, since, until, after?.startedAt ?? null, after?.visitId ?? null];
  const {
    rows: [end],
  } = await pool.query<VisitPosition>(
    `select ${POSITION} as "startedAt", v.visit_id as "visitId" from site_visits v where ${IN_SPAN} and ${AFTER}
      order by v.started_at desc, v.visit_id desc offset $6 limit 1`,
    [...range, SCANNED - 1],
  );
  const { rows } = await pool.query<FlatRow>(
    `with matching as materialized (
       select v.visitor_id, v.visit_id, v.goals, v.started_at, v.last_hit_at, v.state, ${POSITION} as position
         from site_visits v cross join lateral ${visitRow()}
        where ${IN_SPAN} and ${AFTER} and ($10::timestamptz is null or (v.started_at, v.visit_id) >= ($10, $11::uuid))
          and ${matches('v', 'x')}
          and not exists (select from site_visits n cross join lateral ${visitRow('n', 'y')}
                           where n.site_id = $1 and n.visitor_id = v.visitor_id and n.started_at < $3
                             and (n.started_at, n.visit_id) > (v.started_at, v.visit_id) and ${matches('n', 'y')})
        order by v.started_at desc, v.visit_id desc limit $12)
     select ${VISITOR_COLUMNS}, v.position as "startedAtText", ${VISIT_COLUMNS}
       from matching v cross join lateral ${visitRow()} join site_visitors p on p.site_id = $1 and p.visitor_id = v.visitor_id
      order by v.started_at desc, v.visit_id desc`,
    [
      ...range,
      goal,
      sourceType,
      sourceName,
      page === null ? null : addressPartPattern(page),
      end?.startedAt ?? null,
      end?.visitId ?? null,
      limit,
    ],
  );
  return { visitors: rows.map(withVisit), end: end ?? null };
}

type FlatRow = Omit<ListedVisitor, 'visit'> & { startedAtText?: string } & {
  [K in keyof VisitBrief]: VisitBrief[K] | null;
};

function withVisit(row: FlatRow): ListedVisitor & VisitPosition {
  const { visitorId, userId, firstVisitAt, lastVisitAt, visits, recordings, startedAtText = '', ...visit } = row;
  return {
    visitorId,
    userId,
    firstVisitAt,
    lastVisitAt,
    visits,
    recordings,
    visit: visit.id === null ? null : (visit as VisitBrief),
    startedAt: startedAtText,
    visitId: visit.id ?? '',
  };
}

/**
 * Finds visitors by id, or by a user to whom they were ever linked: the latest ones, with their last visit, including
 * robots.
 */
export async function findVisitors(
  pool: Queryable,
  siteId: string,
  { visitorId, userId }: { visitorId: string | null; userId: string | null },
  limit: number,
): Promise<ListedVisitor[]> {
  const { rows } = await pool.query<FlatRow>(
    `select ${VISITOR_COLUMNS}, last.*
       from site_visitors p
       left join lateral (select ${VISIT_COLUMNS} from site_visits v cross join lateral ${visitRow()}
                           where v.site_id = p.site_id and v.visitor_id = p.visitor_id order by v.started_at desc limit 1) last on true
      where p.site_id = $1 and ($2::uuid is null or p.visitor_id = $2)
        and ($3::text is null or p.visitor_id in (
              select visitor_id from site_visitors where site_id = $1 and user_id = $3
              union select visitor_id from site_visitor_users where site_id = $1 and user_id = $3))
      order by p.last_visit_at desc nulls last, p.visitor_id limit $4`,
    [siteId, visitorId, userId, limit],
  );
  return rows.map(withVisit);
}
