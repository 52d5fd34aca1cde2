/** Snapshots of answers (migrations/0061_output.sql). */
import { OUTPUT_DAYS } from '../../domain/output/outputRetention.ts';
import type { Lot } from '../../domain/experiments/samplePeople.ts';
import type { OutputMode } from '../../domain/output/recommendationId.ts';
import type { Reason } from '../../domain/output/reasons.ts';
import type { Queryable } from '../pool.ts';

/** The reason for an item, with what its score is made of, if that was requested. */
export interface StoredReason extends Reason {
  parts?: Readonly<Record<string, number>>;
  factor?: number;
}

/** One page of an answer. */
export interface ShownPage {
  /** The page number, from 0. */
  page: number;
  mode: OutputMode;
  model: string | null;
  itemIds: readonly string[];
  /** One for each item. */
  scores: readonly number[];
  /** One for each item. */
  reasons: readonly StoredReason[];
  firstPosition: number;
  hasNext: boolean;
}

export interface OutputSnapshot extends ShownPage {
  projectId: string;
  /** The recommendation's id. */
  id: string;
  path: string;
  /** Null for a person who is unknown, or who does not want personalization. */
  identityId: string | null;
  surface: string | null;
  variant: string | null;
  /**
   * The person's lot in the sample of the variant's experiment that began at `since`
   * (domain/experiments/samplePeople.ts).
   */
  lot: (Lot & { since: string }) | null;
  /**
   * The probability with which each item got its position (output/serve/page/propensities.ts); null when the request
   * allows no exploration.
   */
  propensities: readonly number[] | null;
  /** Milliseconds from the request to its ranked and filtered items. */
  latencyMs: number;
  createdAt: Date;
}

/**
 * Stores snapshots. One that is already stored is replaced only if it names a person and the new one does not: the page
 * was then made again without the person (output/serve/snapshots/earlierPages.ts). Snapshots are stored under the
 * person's present identity: a device that was linked in the meantime counts as its user, and nothing is stored about a
 * deleted person.
 *
 * It takes no lock on the person, so that it never waits for a link or a deletion. A row that is written under an
 * identity that is deleted or linked at that moment is found by the second pass of the purge or of the move.
 *
 * A stored page also enters its person into the sample of the experiment, if the person's mark is the smallest of the
 * slot. It seldom is, so most pages only read there.
 */
export async function insertSnapshots(pool: Queryable, snapshots: readonly OutputSnapshot[]): Promise<void> {
  if (snapshots.length === 0) return;
  await pool.query({
    name: 'output-snapshots-insert',
    text: `with given as (
             select * from unnest($1::text[], $2::text[], $3::int[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::jsonb[], $11::int[], $12::jsonb[], $13::jsonb[], $14::boolean[], $15::real[], $16::jsonb[], $17::timestamptz[], $18::timestamptz[], $19::smallint[], $20::bigint[])
               as n (project_id, id, page, identity_id, path, surface, mode, model, variant, item_ids, first_position, scores, reasons, has_next, latency_ms, propensities, created_at, since, slot, mark)
           ), stored as (
           insert into output_snapshots (project_id, id, page, identity_id, path, surface, mode, model, variant, item_ids, first_position, scores, reasons, has_next, latency_ms, propensities, created_at)
           select distinct on (s.project_id, s.id, s.page) s.project_id, s.id, s.page, s.owner_id, s.path, s.surface, s.mode, s.model, s.variant,
                  array(select jsonb_array_elements_text(s.item_ids)), s.first_position,
                  array(select jsonb_array_elements(s.scores)::real), s.reasons, s.has_next, s.latency_ms,
                  case when s.propensities is not null then array(select jsonb_array_elements(s.propensities)::real) end, s.created_at
             from (select n.*,
                          (select coalesce(i.merged_into, i.id) from identities i
                            where i.project_id = n.project_id and i.id = n.identity_id and i.dead_at is null) as owner_id
                     from given n) s
            where s.identity_id is null or s.owner_id is not null
            order by s.project_id, s.id, s.page, s.owner_id nulls first
           on conflict (project_id, id, page) do update
              set identity_id = null, mode = excluded.mode, model = excluded.model, item_ids = excluded.item_ids, first_position = excluded.first_position,
                  scores = excluded.scores, reasons = excluded.reasons, has_next = excluded.has_next, latency_ms = excluded.latency_ms, propensities = excluded.propensities
            where output_snapshots.identity_id is not null and excluded.identity_id is null
           returning project_id, id, page
           ), entering as (
             select project_id, split_part(variant, '.', 1) collate "C" as experiment, since, slot, mark, split_part(variant, '.', 2)::smallint as variant
               from given join stored using (project_id, id, page) where slot is not null and variant is not null
           )
           insert into experiment_people as p (project_id, experiment, since, slot, mark, variant)
           select distinct on (project_id, experiment, since, slot) project_id, experiment, since, slot, mark, variant from entering n
            where not exists (select from experiment_people k
                               where (k.project_id, k.experiment, k.since, k.slot) = (n.project_id, n.experiment, n.since, n.slot) and k.mark <= n.mark)
            order by project_id, experiment, since, slot, mark
           on conflict (project_id, experiment, since, slot) do update
              set mark = excluded.mark, variant = excluded.variant where excluded.mark < p.mark`,
    values: [
      snapshots.map(({ projectId }) => projectId),
      snapshots.map(({ id }) => id),
      snapshots.map(({ page }) => page),
      snapshots.map(({ identityId }) => identityId),
      snapshots.map(({ path }) => path),
      snapshots.map(({ surface }) => surface),
      snapshots.map(({ mode }) => mode),
      snapshots.map(({ model }) => model),
      snapshots.map(({ variant }) => variant),
      snapshots.map(({ itemIds }) => JSON.stringify(itemIds)),
      snapshots.map(({ firstPosition }) => firstPosition),
      snapshots.map(({ scores }) => JSON.stringify(scores)),
      snapshots.map(({ reasons }) => JSON.stringify(reasons)),
      snapshots.map(({ hasNext }) => hasNext),
      snapshots.map(({ latencyMs }) => latencyMs),
      snapshots.map(({ propensities }) => propensities && JSON.stringify(propensities)),
      snapshots.map(({ createdAt }) => createdAt),
      snapshots.map(({ lot }) => lot?.since),
      snapshots.map(({ lot }) => lot?.slot),
      snapshots.map(({ lot }) => lot?.mark),
    ],
  });
}

/** A page as it is stored. */
export interface StoredPage extends ShownPage {
  /** The identity to which it was shown. A deleted person's identity remains here until the purge reaches the page. */
  identityId: string | null;
}

/** Returns the pages of an answer up to the given one, ascending; those that are not stored (yet) are missing. */
export async function readShownPages(
  pool: Queryable,
  projectId: string,
  id: string,
  upTo: number,
): Promise<StoredPage[]> {
  const { rows } = await pool.query<StoredPage>({
    name: 'output-snapshots-shown',
    text: `select page, mode, model, item_ids as "itemIds", scores, reasons, first_position as "firstPosition", has_next as "hasNext",
                  identity_id::text as "identityId"
             from output_snapshots where project_id = $1 and id = $2 and page <= $3 order by page`,
    values: [projectId, id, upTo],
  });
  return rows;
}

/** Returns true when one of the identities was deleted. */
export async function isAnyDeleted(
  pool: Queryable,
  projectId: string,
  identityIds: readonly string[],
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'output-snapshots-deleted',
    text: `select from identities where project_id = $1 and id = any($2::bigint[]) and dead_at is not null limit 1`,
    values: [projectId, identityIds],
  });
  return rowCount === 1;
}

/** Maximum number of pages read for one person: as many as a heavy user is shown in a week. */
const MAX_PAGES = 200;

/** Returns the pages that identities were shown since the given time, the latest first. */
export async function readRecentlyShown(
  pool: Queryable,
  projectId: string,
  identityIds: readonly string[],
  since: Date,
): Promise<Pick<OutputSnapshot, 'id' | 'page' | 'itemIds'>[]> {
  const { rows } = await pool.query<Pick<OutputSnapshot, 'id' | 'page' | 'itemIds'>>({
    name: 'output-snapshots-lately',
    text: `select id, page, item_ids as "itemIds" from output_snapshots
            where project_id = $1 and identity_id = any($2::bigint[]) and created_at >= $3
            order by created_at desc limit ${MAX_PAGES}`,
    values: [projectId, identityIds, since],
  });
  return rows;
}

/** Deletes old snapshots. @returns how many were removed, at most `limit` */
export async function deleteOldSnapshots(pool: Queryable, limit: number): Promise<number> {
  const { rowCount } = await pool.query({
    name: 'output-snapshots-expire',
    text: `delete from output_snapshots where ctid = any(array(
             select ctid from output_snapshots where created_at < now() - interval '${OUTPUT_DAYS} days' order by created_at limit $1))`,
    values: [limit],
  });
  return rowCount ?? 0;
}
