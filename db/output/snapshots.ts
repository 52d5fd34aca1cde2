/** Snapshots of answers (migrations/0061_output.sql). */
import type { OutputMode } from '../../domain/output/recommendationId.ts';
import type { Queryable } from '../pool.ts';

export interface OutputSnapshot {
  projectId: string;
  /** Of the recommendation. */
  id: string;
  /** From 0. */
  page: number;
  /** Null for a person who is unknown, or does not want personalization. */
  identityId: string | null;
  surface: string | null;
  mode: OutputMode;
  model: string | null;
  variant: string | null;
  itemIds: readonly string[];
  firstPosition: number;
  createdAt: Date;
}

/**
 * Stores snapshots; one that is stored already stays. Of a person who was deleted meanwhile nothing is kept but the
 * answer: a deletion waits for those that are being stored, and its purge finds them.
 */
export async function insertSnapshots(pool: Queryable, snapshots: readonly OutputSnapshot[]): Promise<void> {
  if (snapshots.length === 0) return;
  await pool.query({
    name: 'output-snapshots-insert',
    text: `with given as (
             select * from unnest($1::text[], $2::text[], $3::int[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[], $9::jsonb[], $10::int[], $11::timestamptz[])
               as s (project_id, id, page, identity_id, surface, mode, model, variant, item_ids, first_position, created_at)
           ), living as materialized (
             select i.project_id, i.id from identities i
              where (i.project_id, i.id) in (select project_id, identity_id from given) and i.dead_at is null
              order by i.project_id, i.id for share
           )
           insert into output_snapshots (project_id, id, page, identity_id, surface, mode, model, variant, item_ids, first_position, created_at)
           select s.project_id, s.id, s.page, l.id, s.surface, s.mode, s.model, s.variant,
                  array(select jsonb_array_elements_text(s.item_ids)), s.first_position, s.created_at
             from given s left join living l on l.project_id = s.project_id and l.id = s.identity_id
           on conflict do nothing`,
    values: [
      snapshots.map(({ projectId }) => projectId),
      snapshots.map(({ id }) => id),
      snapshots.map(({ page }) => page),
      snapshots.map(({ identityId }) => identityId),
      snapshots.map(({ surface }) => surface),
      snapshots.map(({ mode }) => mode),
      snapshots.map(({ model }) => model),
      snapshots.map(({ variant }) => variant),
      snapshots.map(({ itemIds }) => JSON.stringify(itemIds)),
      snapshots.map(({ firstPosition }) => firstPosition),
      snapshots.map(({ createdAt }) => createdAt),
    ],
  });
}

export interface ShownPages {
  /** Pages stored so far. */
  pages: number;
  itemIds: readonly string[];
}

/** What the pages of an answer have shown; null when none is stored (yet). */
export async function readShown(pool: Queryable, projectId: string, id: string): Promise<ShownPages | null> {
  const { rows } = await pool.query<{ itemIds: string[] }>({
    name: 'output-snapshots-shown',
    text: 'select item_ids as "itemIds" from output_snapshots where project_id = $1 and id = $2 order by page',
    values: [projectId, id],
  });
  return rows.length === 0 ? null : { pages: rows.length, itemIds: rows.flatMap(({ itemIds }) => itemIds) };
}

/** How long a snapshot is kept. */
const KEPT_DAYS = 90;

/** @returns how many were removed, at most `limit` */
export async function deleteOldSnapshots(pool: Queryable, limit: number): Promise<number> {
  const { rowCount } = await pool.query({
    name: 'output-snapshots-expire',
    text: `delete from output_snapshots where ctid = any(array(
             select ctid from output_snapshots where created_at < now() - interval '${KEPT_DAYS} days' order by created_at limit $1))`,
    values: [limit],
  });
  return rowCount ?? 0;
}
