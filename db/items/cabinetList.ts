/** Items as the cabinet lists them, by latest change first. */
import type pg from 'pg';
import type { ItemOrigin } from '../../domain/items/item.ts';
import {
  statesOf,
  withAllSteps,
  type ItemStatus,
  type ItemType,
  type Step,
  type StepRecords,
  type StepStates,
} from '../../domain/analysis/steps.ts';
import type { ModerationLevel } from '../../domain/analysis/results.ts';
import { JOIN_RESULTS, MODERATION } from '../currentResults.ts';
import type { ItemPosition } from './list.ts';
import { errorsOf, MEDIA_ERRORS, type ProcessingErrors } from '../analysis/processingErrors.ts';
import type { StoredSummary } from './readItem.ts';
import { containing } from '../likePattern.ts';

export interface FoundItem {
  id: string;
  type: ItemType;
  title: string | null;
  origin: ItemOrigin;
  available: boolean;
  deleted: boolean;
  status: ItemStatus;
  processing: StepStates;
  /** Why steps failed, were deferred or were skipped. */
  errors: ProcessingErrors;
  updatedAt: Date;
  /** The stored picture of the item; null where there is none. */
  thumbKey: string | null;
  ageRating: StoredSummary['age_rating'];
  moderationLevel: ModerationLevel | null;
  position: ItemPosition;
}

/** `unknown`: nobody has judged it, or the judgement was inconclusive. */
export type ModerationFilter = ModerationLevel | 'unknown';

export interface ItemSearch {
  status: ItemStatus | null;
  type: ItemType | null;
  origin: ItemOrigin | null;
  /** Null means any; a deleted item is neither available nor unavailable. */
  available: boolean | null;
  deleted: boolean | null;
  moderation: ModerationFilter | null;
  /** Items whose analysis is stopped at this step: it failed, was deferred or waits for volume. */
  step: Step | null;
  /** With a step: the code of the reason for which it is stopped. */
  code: string | null;
  /** The beginning of an id, case-sensitive, or words that a title contains, in any case and order. */
  text: string | null;
  before: ItemPosition | null;
  limit: number;
}

export interface ItemSearchPage {
  items: FoundItem[];
  /** Where the next page begins; null when nothing follows. */
  next: ItemPosition | null;
}

/** Maximum number of words; further ones are ignored. */
const WORDS_MAX = 8;
/**
 * Number of items searched for one page. When none of a million items passes, a page takes 0.06 s, whereas reading all
 * of them takes 3 s. A trigram index would find words at once, but every write of an item would pay for it.
 */
const MAX_EXAMINED = 20_000;

const SORT_KEY = '(updated_at, hashtextextended(id, 0))';
const NEWEST_FIRST = 'updated_at desc, hashtextextended(id, 0) desc';
const NEWEST_FIRST_OF_I = 'i.updated_at desc, hashtextextended(i.id, 0) desc';
const POSITION = '(extract(epoch from updated_at) * 1000000)::bigint as micros, hashtextextended(id, 0) as hash';
const POSITION_OF_I = POSITION.replace('updated_at', 'i.updated_at').replace('(id', '(i.id');

/**
 * The picture of the item `i` that lists show: of its first medium with pictures, the first that is not flat, else the
 * first.
 */
const THUMB = `select t.blob_key from item_frames t join item_media tm using (project_id, item_id, medium_id)
  where t.project_id = i.project_id and t.item_id = i.id order by tm.position, t.flat, t.ts limit 1`;

interface FoundRow extends Omit<FoundItem, 'processing' | 'errors' | 'position'> {
  steps: Partial<StepRecords>;
  mediaErrors: ProcessingErrors | null;
  micros: string;
  hash: string;
}

/** The end of the searched range is in the row of each item that was found, or in a single row when none was found. */
type SearchRow = { endMicros: string | null; endHash: string | null } & (FoundRow | Record<keyof FoundRow, null>);

/**
 * The moderation level of the item `i`, by two look-ups: a join might read every result of the project for one page.
 */
const LEVEL = `select ${MODERATION} ->> 'level' from (select) one ${JOIN_RESULTS}`;

/** The columns that the list needs of an item `i`, without its body. */
const COLUMNS =
  'i.project_id, i.id, i.type, i.title, i.origin, i.available, i.deleted, i.status, i.steps, i.updated_at';

/** The columns of the item `i` that a list shows besides its results; read only for the items of a page. */
const SHOWN = `i.id, i.type, i.title, i.origin, i.available, i.deleted, i.status, i.steps, i.updated_at as "updatedAt", (${MEDIA_ERRORS}) as "mediaErrors",
  (${THUMB}) as "thumbKey", s.summary ->> 'age_rating' as "ageRating", ${MODERATION} ->> 'level' as "moderationLevel"`;

/**
 * Returns a page of items, descending by their last change. When few items pass the filter, only the next `lookedAt`
 * items are searched; then the page may be short, even empty, without being the last. The page and its end come from
 * one statement, because items move between two. Results are joined to the page only.
 */
export async function searchItems(
  pool: pg.Pool,
  projectId: string,
  search: ItemSearch,
  lookedAt = MAX_EXAMINED,
): Promise<ItemSearchPage> {
  const { status, type, origin, available, deleted, moderation, step, code, text, before, limit } = search;
  const isFiltered = [status, type, origin, available, deleted, moderation, step, text].some((one) => one !== null);
  const among = `project_id = $1
    and ${SORT_KEY} < (coalesce('epoch'::timestamptz + $2::bigint * interval '1 microsecond', 'infinity'), coalesce($3::bigint, 0))
    ${step === null ? '' : 'and stopped'}`;
  const { rows } = await pool.query<SearchRow>(
    `with seen_to as (select ${POSITION} from items where ${among} order by ${NEWEST_FIRST} offset $9 limit $10),
          page as materialized (
            select ${COLUMNS}, ${POSITION_OF_I}
              from (select * from items where ${among} order by ${NEWEST_FIRST} limit $11) i
             where ($4::text is null or i.status = $4)
               and ($5::text is null or i.steps -> $5 ->> 'state' in ('failed', 'deferred', 'waiting'))
               and ($17::text is null or i.steps -> $5 #>> '{error,code}' = $17)
               and ($6::text is null or starts_with(i.id, $6) or i.title ilike all ($7::text[]))
               and ($12::text is null or i.type = $12) and ($13::text is null or i.origin = $13)
               and ($14::boolean is null or i.available = $14 and not i.deleted)
               and ($15::boolean is null or i.deleted = $15)
               and ($16::text is null or coalesce((${LEVEL}), 'unknown') = $16)
             order by ${NEWEST_FIRST_OF_I} limit $8)
     select e.micros as "endMicros", e.hash as "endHash", f.*
       from (select) one left join seen_to e on true left join (
         select ${SHOWN}, i.micros, i.hash from page i ${JOIN_RESULTS} order by ${NEWEST_FIRST_OF_I}) f on true`,
    [
      projectId,
      before?.micros,
      before?.hash,
      status,
      step,
      text,
      patternsOf(text ?? ''),
      limit + 1,
      lookedAt - 1,
      isFiltered ? 1 : 0,
      isFiltered ? lookedAt : limit + 1,
      type,
      origin,
      available,
      deleted,
      moderation,
      step === null ? null : code,
    ],
  );
  return pageOf(rows, limit);
}

/** Returns those of the named items that the project has, descending by their last change. */
export async function findItems(pool: pg.Pool, projectId: string, ids: readonly string[]): Promise<FoundItem[]> {
  const { rows } = await pool.query<FoundRow>(
    `select ${SHOWN}, ${POSITION_OF_I} from items i ${JOIN_RESULTS}
      where i.project_id = $1 and i.id = any($2::text[]) order by ${NEWEST_FIRST_OF_I}`,
    [projectId, ids],
  );
  return rows.map(foundOf);
}

/** Returns the page. `rows` hold one item more than the page when more items follow. */
function pageOf(rows: readonly SearchRow[], limit: number): ItemSearchPage {
  const items = rows.flatMap(({ endMicros: _micros, endHash: _hash, ...row }) =>
    row.id === null ? [] : [foundOf(row)],
  );
  const page = items.slice(0, limit);
  if (items.length > limit) return { items: page, next: page.at(-1)?.position ?? null };
  const [{ endMicros, endHash } = { endMicros: null, endHash: null }] = rows;
  return {
    items: page,
    next: endMicros === null || endHash === null ? null : { micros: BigInt(endMicros), hash: BigInt(endHash) },
  };
}

function foundOf({ steps: stored, mediaErrors, micros, hash, ...shown }: FoundRow): FoundItem {
  const steps = withAllSteps(stored);
  return {
    ...shown,
    processing: statesOf(steps),
    errors: errorsOf(steps, mediaErrors),
    position: { micros: BigInt(micros), hash: BigInt(hash) },
  };
}

function patternsOf(text: string): string[] {
  const words = text
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, WORDS_MAX);
  return words.map(containing);
}
