/** What the answer of /collect says of recordings: asked with every batch, so it is remembered for some seconds. */
import type { Queryable } from '../../db/pool.ts';
import { countRecordings } from '../../db/recordings/intake.ts';
import { isDayFull, type RecordingWord } from '../../domain/recordings.ts';
import type { SiteSettings } from '../../domain/sites.ts';
import { BoundedMap } from '../http/boundedMap.ts';

const TTL_MS = 5_000;
const CAPACITY = 10_000;

/** Null for a site that does not record. */
export type RecordingWordOf = (site: Pick<SiteSettings, 'siteId' | 'recordings' | 'quotas'>) => Promise<RecordingWord | null>;

/**
 * An old word does no harm: a recording that begins too late is refused by the intake itself. So a count that fails is no
 * failure of the batch, which is stored already.
 * @param now a monotonic clock in milliseconds
 */
export function createRecordingWord(pool: Queryable, now: () => number = () => performance.now()): RecordingWordOf {
  const words = new BoundedMap<string, { word: Promise<RecordingWord>; expiresAt: number }>(CAPACITY);
  return async ({ siteId, recordings, quotas }) => {
    if (!recordings) return null;
    const known = words.get(siteId);
    if (known && known.expiresAt > now()) return known.word;
    const word = countRecordings(pool, siteId).then((counts): RecordingWord => (isDayFull(counts, quotas) ? 'full' : 'on'), (): RecordingWord => 'on');
    words.set(siteId, { word, expiresAt: now() + TTL_MS });
    return word;
  };
}
