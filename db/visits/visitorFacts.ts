/**
 * PostgreSQL's data about one visitor: visits, conversions, orders, and the users to whom it was linked.
 */
import type { Queryable } from '../pool.ts';
import { VISIT_COLUMNS, visitRow, type VisitBrief } from './cabinetVisits.ts';
import type { VisitorKey } from './visitors.ts';

/** Returns visits, the newest first, including those of robots. */
export async function listVisits(
  pool: Queryable,
  { siteId, visitorId }: VisitorKey,
  limit: number,
): Promise<VisitBrief[]> {
  const { rows } = await pool.query<VisitBrief>(
    `select ${VISIT_COLUMNS} from site_visits v cross join lateral ${visitRow()}
      where v.site_id = $1 and v.visitor_id = $2 order by v.started_at desc limit $3`,
    [siteId, visitorId, limit],
  );
  return rows;
}

export interface VisitorGoal {
  goal: string;
  title: string | null;
  occurredAt: Date;
  value: number | null;
  visitId: string | null;
}

/** Returns conversions, the newest first. */
export async function listVisitorGoals(
  pool: Queryable,
  { siteId, visitorId }: VisitorKey,
  limit: number,
): Promise<VisitorGoal[]> {
  const { rows } = await pool.query<VisitorGoal>(
    `select c.goal, g.title, c.occurred_at as "occurredAt", c.value::float8 as value, c.visit_id as "visitId"
       from site_conversions c left join site_goals g on g.site_id = c.site_id and g.code = c.goal
      where c.site_id = $1 and c.visitor_id = $2 order by c.occurred_at desc, c.goal limit $3`,
    [siteId, visitorId, limit],
  );
  return rows;
}

export interface VisitorOrder {
  transactionId: string;
  status: 'purchased' | 'refunded';
  occurredAt: Date;
  revenue: number | null;
  currency: string | null;
  promoCode: string | null;
  visitId: string | null;
}

/** Returns purchases and refunds, the newest first. */
export async function listVisitorOrders(
  pool: Queryable,
  { siteId, visitorId }: VisitorKey,
  limit: number,
): Promise<VisitorOrder[]> {
  const { rows } = await pool.query<VisitorOrder>(
    `select transaction_id as "transactionId", status, occurred_at as "occurredAt", revenue::float8 as revenue, currency,
            promo_code as "promoCode", visit_id as "visitId"
       from site_orders where site_id = $1 and visitor_id = $2 order by occurred_at desc, transaction_id, status limit $3`,
    [siteId, visitorId, limit],
  );
  return rows;
}

export interface VisitorLinks {
  /** The users to whom the visitor was ever linked, the last one first. */
  userIds: string[];
  /** The deletion was requested and has not ended. */
  isBeingDeleted: boolean;
}

export async function readVisitorLinks(
  pool: Queryable,
  { siteId, visitorId }: VisitorKey,
  limit: number,
): Promise<VisitorLinks> {
  const { rows } = await pool.query<VisitorLinks>(
    `select array(select user_id from site_visitor_users where site_id = $1 and visitor_id = $2 order by linked_at desc, user_id limit $3) as "userIds",
            exists (select from visitor_deletions where site_id = $1 and visitor_id = $2) as "isBeingDeleted"`,
    [siteId, visitorId, limit],
  );
  return rows[0] ?? { userIds: [], isBeingDeleted: false };
}
