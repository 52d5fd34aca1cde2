/** The highest use of quotas: hits of a site today, analysis volume of a project this month. */
import { DEFAULT_QUOTAS } from '../../domain/sites/siteQuotas.ts';
import type { Queryable } from '../pool.ts';

export interface UsedQuota {
  quota: 'hits_per_day' | 'monthly_volume';
  projectId: string | null;
  siteId: string | null;
  title: string;
  client: string;
  used: number;
  most: number;
}

const SHOWN = 10;

/**
 * Returns the sites and projects that have used the largest part of their quota, at least `share` of it (0 to 1). It
 * costs one look-up by key for each active site and for each project with a limit.
 * @param options `day` is the day of the hits, such as `2026-11-20`; `month` is the first day of the month of the
 * volume
 */
export async function listUsedQuotas(
  pool: Queryable,
  { share, day, month }: { share: number; day: string; month: string },
): Promise<UsedQuota[]> {
  const { rows } = await pool.query<UsedQuota>({
    name: 'installation-quotas',
    text: `select quota, project_id as "projectId", site_id as "siteId", u.title, c.title as client, used::float8 as used, most::float8 as most
             from (select 'hits_per_day' as quota, null as project_id, s.id as site_id, s.title, s.client_id, d.hits as used,
                          coalesce((s.quotas ->> 'hits_per_day')::bigint, ${DEFAULT_QUOTAS.hits_per_day}) as most
                     from sites s join site_days d on d.site_id = s.id and d.day = $2::date
                    where s.state = 'active'
                   union all
                   select 'monthly_volume', p.id, null, p.title, p.client_id, v.used + v.reserved, p.monthly_volume
                     from projects p join analysis_volume v on v.project_id = p.id and v.month = $3::date
                    where p.state = 'active' and p.monthly_volume is not null) u
             join clients c on c.id = u.client_id
            where used > 0 and used >= most * $1::float8
            order by used / greatest(most, 1)::float8 desc, u.title limit ${SHOWN}`,
    values: [share, day, month],
  });
  return rows;
}
