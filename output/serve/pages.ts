/** What earlier pages of an answer have shown, and the cursor that leads to the next one. */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { readShown } from '../../db/output/snapshots.ts';
import type { PagePlace } from './request.ts';

/** Snapshots are stored behind the answers: a client that asks for the next page at once may be ahead of them. */
const LOOKS = 6;
const BETWEEN_LOOKS_MS = 200;

/**
 * The items that the pages before a place have shown. A page that a crash has lost is not among them.
 */
export async function readShownBefore(
  pool: pg.Pool,
  projectId: string,
  { recommendationId, page }: PagePlace,
): Promise<ReadonlySet<string>> {
  for (let look = 1; ; look += 1) {
    const shown = await readShown(pool, projectId, recommendationId);
    if ((shown && shown.pages >= page) || look === LOOKS) return new Set(shown?.itemIds);
    await delay(BETWEEN_LOOKS_MS);
  }
}

const FORM = /^([ -~]{24,64})\/(\d{1,5})\/(\d{1,7})\/([0-9a-f]{16})$/;

/** Null when it is not one of ours. */
export function readPlace(cursor: string): PagePlace | null {
  const [, recommendationId, page, firstPosition, bodyHash] =
    FORM.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (recommendationId === undefined || bodyHash === undefined) return null;
  return { recommendationId, page: Number(page), firstPosition: Number(firstPosition), bodyHash };
}

export function writePlace({ recommendationId, page, firstPosition, bodyHash }: PagePlace): string {
  return Buffer.from([recommendationId, page, firstPosition, bodyHash].join('/')).toString('base64url');
}
