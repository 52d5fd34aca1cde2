/** The first things to look at in the cabinet: items whose analysis failed, and sites without hits. */
import type { Scope } from '../../domain/accounts/roles.ts';
import type { Queryable } from '../pool.ts';
import { FAILED_DAYS } from './waitingAndFailedWork.ts';

/** Maximum count. */
export const MAX_FAILED = 100;
/** Number of days without a hit after which a site is silent; the current day does not count. */
const SILENT_DAYS = 2;
/** Maximum number of each kind; people who need more have lists with filters. */
const SHOWN = 50;
/** Number of stopped items that are read in a project: some of them wait for volume and have not failed. */
const WINDOW = 500;

export interface FailedItems {
  projectId: string;
  projectTitle: string;
  /** {@link MAX_FAILED} stands for that many or more. */
  count: number;
  lastAt: Date;
}

/**
 * Returns active projects with items that failed lately, the latest failure first. Each project costs at most
 * {@link WINDOW} rows of the index `items_stopped`, however many of its items have stopped.
 */
export async function listFailedItems(pool: Queryable, scope: Scope | null): Promise<FailedItems[]> {
  const { rows } = await pool.query<FailedItems>({
    name: 'troubles-failed-items',
    text: `select p.id as "projectId", p.title as "projectTitle", least(f.count, ${MAX_FAILED}) as count, f.last as "lastAt"
             from projects p
            cross join lateral (
              select count(*)::int as count, max(updated_at) as last
                from (select status, deleted, updated_at from items
                       where project_id = p.id and stopped and updated_at > now() - interval '${FAILED_DAYS} days'
                       order by updated_at desc limit ${WINDOW}) i
               where status = 'failed' and not deleted) f
            where p.state = 'active' and ($1::text[] is null or p.id = any($1)) and f.count > 0
            order by f.last desc, p.id limit ${SHOWN}`,
    values: [scope?.projects ?? null],
  });
  return rows;
}

export interface SilentSite {
  siteId: string;
  siteTitle: string;
  /** `2026-11-20`, a day in Moscow time; null when there was never a hit. */
  lastHitOn: string | null;
}

/**
 * Returns active sites whose last hit is some days ago, the latest first, and at the end those that never had one. The
 * day of the last hit takes one look-up by the key of `site_days`.
 */
export async function listSilentSites(pool: Queryable, scope: Scope | null): Promise<SilentSite[]> {
  const { rows } = await pool.query<SilentSite>({
    name: 'troubles-silent-sites',
    text: `select s.id as "siteId", s.title as "siteTitle", to_char(d.last, 'YYYY-MM-DD') as "lastHitOn"
             from sites s
            cross join lateral (select max(day) as last from site_days where site_id = s.id) d
            where s.state = 'active' and s.owner_state = 'active' and ($1::text[] is null or s.id = any($1))
              and (d.last is null or d.last <= (now() at time zone 'Europe/Moscow')::date - ${SILENT_DAYS})
            order by d.last desc nulls last, s.id limit ${SHOWN}`,
    values: [scope?.sites ?? null],
  });
  return rows;
}
