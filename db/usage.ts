/** What the analysis of a project has cost in a month. */
import type { Queryable } from './pool.ts';

/** What the calls of one model for one step add up to; null where no call said. */
export interface UsageOfModel {
  step: string;
  provider: string;
  model: string;
  calls: number;
  inputTokens: number | null;
  outputTokens: number | null;
  audioSeconds: number | null;
  images: number | null;
}

export interface MonthlyUsage {
  used: number;
  reserved: number;
  limit: number | null;
  by: UsageOfModel[];
}

/**
 * Units and provider calls of a month in Moscow.
 * @param month its first day, see `monthOf` of domain/volume.ts
 * @returns null when there is no such project
 */
export async function readUsage(pool: Queryable, projectId: string, month: string): Promise<MonthlyUsage | null> {
  const { rows } = await pool.query<Omit<MonthlyUsage, 'by'>>({
    name: 'usage-units',
    text: `select coalesce(v.used, 0)::float8 as used, coalesce(v.reserved, 0)::float8 as reserved, p.monthly_volume as limit
             from projects p left join analysis_volume v on v.project_id = p.id and v.month = $2::date where p.id = $1`,
    values: [projectId, month],
  });
  return rows[0] ? { ...rows[0], by: await readCalls(pool, projectId, month) } : null;
}

async function readCalls(pool: Queryable, projectId: string, month: string): Promise<UsageOfModel[]> {
  const { rows } = await pool.query<UsageOfModel>({
    name: 'usage-calls',
    text: `select step, provider, model, count(*)::int as calls, sum(input_tokens)::float8 as "inputTokens",
                  sum(output_tokens)::float8 as "outputTokens", sum(audio_seconds)::float8 as "audioSeconds", sum(images)::float8 as images
             from analysis_usage
            where project_id = $1 and created_at >= $2::date::timestamp at time zone 'Europe/Moscow'
              and created_at < ($2::date + interval '1 month') at time zone 'Europe/Moscow'
            group by step, provider, model order by step, provider, model`,
    values: [projectId, month],
  });
  return rows;
}
