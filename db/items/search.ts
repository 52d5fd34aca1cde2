/** Items as the cabinet lists them: what changed last comes first. */
import type pg from 'pg';
import type { ItemOrigin } from '../../domain/item.ts';
import {
  statesOf,
  withAllSteps,
  type ItemStatus,
  type ItemType,
  type Step,
  type StepRecords,
  type StepStates,
} from '../../domain/steps.ts';
import type { ItemPosition } from './list.ts';
import { errorsOf, MEDIA_ERRORS, type ProcessingErrors } from './processingErrors.ts';

export interface FoundItem {
  id: string;
  type: ItemType;
  title: string | null;
  origin: ItemOrigin;
  available: boolean;
  deleted: boolean;
  status: ItemStatus;
  processing: StepStates;
  /** Why steps failed, were put off or were skipped. */
  errors: ProcessingErrors;
  updatedAt: Date;
  position: ItemPosition;
}

export interface ItemSearch {
  status: ItemStatus | null;
  /** Items whose analysis stands still at this step: it failed, was put off or waits for volume. */
  step: Step | null;
  /** How an id begins, case as it is, or words that a title holds, in any case and order. */
  text: string | null;
  before: ItemPosition | null;
  limit: number;
}

export interface ItemSearchPage {
  items: FoundItem[];
  /** Where the next page begins; null when there is nothing further. */
  next: ItemPosition | null;
}

/** Further words are not looked for. */
const WORDS_MAX = 8;
/**
 * Items looked at for one page: of a million, when none passes, a page takes 0.06 s, where all of them
 * take 3 s. A trigram index would find words at once, and every write of an item would pay for it.
 */
const LOOKED_AT = 20_000;

const PLACE = '(updated_at, hashtextextended(id, 0))';
const NEWEST_FIRST = 'updated_at desc, hashtextextended(id, 0) desc';
const POSITION = '(extract(epoch from updated_at) * 1000000)::bigint as micros, hashtextextended(id, 0) as hash';

interface FoundRow extends Omit<FoundItem, 'processing' | 'errors' | 'position'> {
  steps: Partial<StepRecords>;
  mediaErrors: ProcessingErrors | null;
  micros: string;
  hash: string;
}

/** The end of what is looked at, beside each item that was found, or beside nothing. */
type SearchRow = { endMicros: string | null; endHash: string | null } & (FoundRow | Record<keyof FoundRow, null>);

/**
 * A page of items, descending by their last change. What few items pass is looked for among the next
 * ones only, as many as `lookedAt`: then the page may be short, even empty, and not be the last. The
 * page and its end are of one statement: between two, items move.
 */
export async function searchItems(
  pool: pg.Pool,
  projectId: string,
  search: ItemSearch,
  lookedAt = LOOKED_AT,
): Promise<ItemSearchPage> {
  const { status, step, text, before, limit } = search;
  const isFiltered = status !== null || step !== null || text !== null;
  const among = `project_id = $1
    and ${PLACE} < (coalesce('epoch'::timestamptz + $2::bigint * interval '1 microsecond', 'infinity'), coalesce($3::bigint, 0))
    ${step === null ? '' : 'and stopped'}`;
  const { rows } = await pool.query<SearchRow>(
    `with seen_to as (select ${POSITION} from items where ${among} order by ${NEWEST_FIRST} offset $9 limit $10)
     select e.micros as "endMicros", e.hash as "endHash", f.*
       from (select) one left join seen_to e on true left join (
         select id, type, title, origin, available, deleted, status, steps, updated_at as "updatedAt", ${POSITION}, (${MEDIA_ERRORS}) as "mediaErrors"
           from (select * from items where ${among} order by ${NEWEST_FIRST} limit $11) i
          where ($4::text is null or status = $4)
            and ($5::text is null or steps -> $5 ->> 'state' in ('failed', 'deferred', 'waiting'))
            and ($6::text is null or starts_with(id, $6) or title ilike all ($7::text[]))
          order by ${NEWEST_FIRST} limit $8) f on true`,
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
    ],
  );
  return pageOf(rows, limit);
}

/** `rows` hold one item more than the page when there are that many. */
function pageOf(rows: readonly SearchRow[], limit: number): ItemSearchPage {
  const items = rows.flatMap((row) => (row.id === null ? [] : [foundOf(row)]));
  const page = items.slice(0, limit);
  if (items.length > limit) return { items: page, next: page.at(-1)?.position ?? null };
  const [{ endMicros, endHash } = { endMicros: null, endHash: null }] = rows;
  return {
    items: page,
    next: endMicros === null || endHash === null ? null : { micros: BigInt(endMicros), hash: BigInt(endHash) },
  };
}

function foundOf({
  id,
  type,
  title,
  origin,
  available,
  deleted,
  status,
  steps: stored,
  updatedAt,
  mediaErrors,
  micros,
  hash,
}: FoundRow): FoundItem {
  const steps = withAllSteps(stored);
  return {
    id,
    type,
    title,
    origin,
    available,
    deleted,
    status,
    updatedAt,
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
  return words.map((word) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`);
}
