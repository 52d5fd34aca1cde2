/** Items as the cabinet lists them: what changed last comes first. */
import type pg from 'pg';
import type { ItemOrigin } from '../../domain/item.ts';
import { STEPS, statesOf, type ItemStatus, type ItemType, type Step, type StepError, type StepRecords, type StepStates } from '../../domain/steps.ts';
import type { ItemPosition } from './list.ts';

export interface FoundItem {
  id: string;
  type: ItemType;
  title: string | null;
  origin: ItemOrigin;
  available: boolean;
  deleted: boolean;
  status: ItemStatus;
  processing: StepStates;
  /** Why steps failed or were put off. */
  errors: Partial<Record<Step, StepError>>;
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

/** Further words are not looked for. */
const WORDS_MAX = 8;

interface FoundRow extends Omit<FoundItem, 'processing' | 'errors' | 'position'> {
  steps: StepRecords;
  micros: string;
  hash: string;
}

/** A page of items, descending by their last change. What few items pass reads through all of the project's. */
export async function searchItems(pool: pg.Pool, projectId: string, { status, step, text, before, limit }: ItemSearch): Promise<FoundItem[]> {
  const { rows } = await pool.query<FoundRow>(
    `select id, type, title, origin, available, deleted, status, steps, updated_at as "updatedAt",
            (extract(epoch from updated_at) * 1000000)::bigint as micros, hashtextextended(id, 0) as hash
       from items
      where project_id = $1
        and (updated_at, hashtextextended(id, 0)) < (coalesce('epoch'::timestamptz + $2::bigint * interval '1 microsecond', 'infinity'), coalesce($3::bigint, 0))
        and ($4::text is null or status = $4)
        and ($5::text is null or steps -> $5 ->> 'state' in ('failed', 'deferred', 'waiting'))
        and ($6::text is null or starts_with(id, $6) or title ilike all ($7::text[]))
      order by updated_at desc, hashtextextended(id, 0) desc limit $8`,
    [projectId, before?.micros, before?.hash, status, step, text, patternsOf(text ?? ''), limit],
  );
  return rows.map(({ steps, micros, hash, ...item }) => ({
    ...item, processing: statesOf(steps), errors: errorsOf(steps), position: { micros: BigInt(micros), hash: BigInt(hash) },
  }));
}

function patternsOf(text: string): string[] {
  const words = text.split(/\s+/).filter((word) => word !== '').slice(0, WORDS_MAX);
  return words.map((word) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`);
}

function errorsOf(steps: StepRecords): FoundItem['errors'] {
  const isTold = (step: Step): boolean => steps[step].state === 'failed' || steps[step].state === 'deferred';
  return Object.fromEntries(STEPS.flatMap((step) => (isTold(step) && steps[step].error ? [[step, steps[step].error]] : [])));
}
