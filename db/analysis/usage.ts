/** The costs of provider calls, and the cost of a project's analysis in a month. */
import type { AskedCapability } from '../../domain/analysis/capabilities.ts';
import type { Calls } from '../../domain/analysis/prices.ts';
import type { Provenance, Usage } from '../../domain/analysis/results.ts';
import { TEXT_SUBJECT } from '../../domain/analysis/volume.ts';
import type { ItemRef } from '../../domain/items/item.ts';
import type { Queryable } from '../pool.ts';
import type { DraftWork } from './drafts.ts';
import { settleCtes } from './volume.ts';

/** The sums of the calls of one model for one capability. */
export interface UsageOfModel extends Calls {
  step: string;
  /** The purpose of the calls; in rows of older releases, the step. */
  capability: string;
  provider: string;
  model: string;
}

export interface MonthlyUsage {
  used: number;
  reserved: number;
  limit: number | null;
  by: UsageOfModel[];
  days: UsageOfDay[];
}

/** Units used on a day (Moscow time). */
export interface UsageOfDay {
  /** YYYY-MM-DD. */
  day: string;
  used: number;
}

/**
 * Returns the units and provider calls of a month (Moscow time).
 * @param month its first day, see `monthOf` of domain/analysis/volume.ts
 * @returns null when there is no such project
 */
export async function readUsage(pool: Queryable, projectId: string, month: string): Promise<MonthlyUsage | null> {
  const { rows } = await pool.query<Omit<MonthlyUsage, 'by' | 'days'>>({
    name: 'usage-units',
    text: `select coalesce(v.used, 0)::float8 as used, coalesce(v.reserved, 0)::float8 as reserved, p.monthly_volume as limit
             from projects p left join analysis_volume v on v.project_id = p.id and v.month = $2::date where p.id = $1`,
    values: [projectId, month],
  });
  if (!rows[0]) return null;
  const [by, days] = await Promise.all([readCalls(pool, projectId, month), readDays(pool, projectId, month)]);
  return { ...rows[0], by, days };
}

/** Returns SQL of a `Measured` for a column. */
const measured = (column: string): string =>
  `jsonb_build_object('sum', sum(${column})::float8, 'calls', count(${column})::int)`;

async function readCalls(pool: Queryable, projectId: string, month: string): Promise<UsageOfModel[]> {
  const { rows } = await pool.query<UsageOfModel>({
    name: 'usage-calls',
    text: `select step, coalesce(capability, step) as capability, provider, model, count(*)::int as calls,
                  ${measured('input_tokens')} as "inputTokens", ${measured('output_tokens')} as "outputTokens",
                  ${measured('audio_seconds')} as "audioSeconds", ${measured('images')} as images
             from analysis_usage
            where project_id = $1 and created_at >= $2::date::timestamp at time zone 'Europe/Moscow'
              and created_at < ($2::date + interval '1 month') at time zone 'Europe/Moscow'
            group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
    values: [projectId, month],
  });
  return rows;
}

/** Returns the days on which units of the month were used: days of that month, and the first days of the next one. */
async function readDays(pool: Queryable, projectId: string, month: string): Promise<UsageOfDay[]> {
  const { rows } = await pool.query<UsageOfDay>({
    name: 'usage-days',
    text: `select day::text as day, used::float8 as used from analysis_volume_days
            where project_id = $1 and month = $2::date order by day`,
    values: [projectId, month],
  });
  return rows;
}

export interface CallKind {
  /** True when the call uses up analysis volume of its subject (db/analysis/volume.ts). */
  countsVolume?: boolean;
  /** The capability that was used, where it differs from the step. */
  capability?: AskedCapability;
}

/** Records what a provider call cost. */
export async function recordUsage(
  client: Queryable,
  work: DraftWork,
  provenance: Provenance,
  usage: Usage,
  { countsVolume = true, capability }: CallKind = {},
): Promise<void> {
  await client.query({
    name: 'usage-insert',
    text: `with ${settleCtes('$10', '$11')}
           insert into analysis_usage (project_id, item_id, step, provider, model, input_tokens, output_tokens, audio_seconds, images, capability)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $12)`,
    values: [
      work.projectId,
      work.itemId,
      work.step,
      provenance.provider,
      provenance.model,
      usage.inputTokens,
      usage.outputTokens,
      usage.audioSeconds,
      usage.images,
      work.mediumId ?? TEXT_SUBJECT,
      countsVolume ? work.revision : null,
      capability ?? work.step,
    ],
  });
}

/** A call and what it cost. */
export interface CallCost {
  work: DraftWork;
  provenance: Provenance;
  usage: Usage;
  kind: CallKind;
}

/**
 * Records what calls cost, without counting analysis volume: for steps that end in the same transaction, whose end
 * counts it.
 */
export async function recordCosts(client: Queryable, ref: ItemRef, costs: readonly CallCost[]): Promise<void> {
  if (costs.length === 0) return;
  await client.query({
    name: 'usage-insert-several',
    text: `insert into analysis_usage (project_id, item_id, step, provider, model, input_tokens, output_tokens, audio_seconds, images, capability)
           select $1, $2, u.* from unnest($3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[], $8::float8[], $9::int[], $10::text[]) as u`,
    values: [
      ref.projectId,
      ref.itemId,
      costs.map(({ work }) => work.step),
      costs.map(({ provenance }) => provenance.provider),
      costs.map(({ provenance }) => provenance.model),
      costs.map(({ usage }) => usage.inputTokens),
      costs.map(({ usage }) => usage.outputTokens),
      costs.map(({ usage }) => usage.audioSeconds),
      costs.map(({ usage }) => usage.images),
      costs.map(({ work, kind }) => kind.capability ?? work.step),
    ],
  });
}
