/** The projects and sites that are close to their quotas. */
import type { Queryable } from '../../../db/pool.ts';
import { listUsedQuotas, type UsedQuota } from '../../../db/installation/usedQuotas.ts';
import { monthOf } from '../../../domain/analysis/volume.ts';
import { moscowDay } from '../../../domain/sites/moscowDays.ts';
import { DAY_MS } from '../../../domain/timeUnits.ts';

/** Share of a quota from which it is listed. */
const HIGH_USAGE = 0.5;

export async function quotasInUse(db: Queryable) {
  return (await listUsedQuotas(db, { share: HIGH_USAGE, ...today() })).map(toQuota);
}

/** Returns the current day and month; quotas are counted by Moscow time. */
function today(): { day: string; month: string } {
  const day = new Date(moscowDay(Date.now()) * DAY_MS).toISOString().slice(0, 10);
  return { day, month: monthOf(new Date()) };
}

function toQuota({ quota, projectId, siteId, title, client, used, most }: UsedQuota) {
  return { quota, project_id: projectId, site_id: siteId, title, client, used, limit: most };
}
