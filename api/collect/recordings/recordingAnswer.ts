/**
 * The part of the /collect response that is about recordings. It caches for a few seconds whether the site's quota of
 * the day is used up. For each batch it queries which recordings of the visitor have begun, since the tag relies on
 * that; several batches share a query.
 */
import type { Queryable } from '../../../db/pool.ts';
import { countRecordings } from '../../../db/recordings/recordingIntake.ts';
import { countRecordedBytes } from '../../../db/recordings/dailyBytes.ts';
import { findRunning, type RecordingOwner } from '../../../db/recordings/running.ts';
import type { SiteSettings } from '../../../domain/sites/siteSettings.ts';
import { Batcher } from '../../../platform/process/concurrency/batcher.ts';
import { growingCache } from '../../../platform/process/growingCache.ts';
import { areBytesFull, isDayFull, type RecordingReply } from '../../../domain/recordings/recordingQuota.ts';

const TTL_MS = 5_000;
const CAPACITY = 10_000;
const MAX_OWNERS_PER_QUERY = 256;

/** Fields of the response. */
export interface RecordingAnswer {
  recording: RecordingReply;
  /** Missing when the query failed; the tag then draws no conclusions. */
  recording_ids?: string[];
  /** Makes the recorder hide all texts of the pages. */
  mask_texts?: true;
}

/**
 * Returns null for a site that does not record, or whose byte quota of the day is used up: running recordings then
 * stop.
 */
export type ReadRecordingAnswer = (
  site: Pick<SiteSettings, 'siteId' | 'recordings' | 'maskTexts' | 'quotas'>,
  visitorId: string,
) => Promise<RecordingAnswer | null>;

/**
 * An outdated answer is harmless: a recording that begins too late is refused by the intake itself, and is then not
 * among the visitor's recordings. A failed query does not fail the batch, which is stored already.
 * @param now a monotonic clock in milliseconds
 */
export function createRecordingAnswers(
  pool: Queryable,
  now: () => number = () => performance.now(),
): ReadRecordingAnswer {
  const answers = growingCache<string, Promise<RecordingReply | null>>(CAPACITY, { ttl: TTL_MS, now });
  const running = new Batcher<RecordingOwner, string[]>(MAX_OWNERS_PER_QUERY, (owners) => findRunning(pool, owners));
  const answerOf = ({ siteId, quotas }: Pick<SiteSettings, 'siteId' | 'quotas'>): Promise<RecordingReply | null> => {
    const known = answers.get(siteId);
    if (known) return known;
    const answer = Promise.all([countRecordings(pool, siteId), countRecordedBytes(pool, siteId, null)]).then(
      ([counts, bytes]): RecordingReply | null => {
        if (areBytesFull(bytes, quotas)) return null;
        return isDayFull(counts, quotas) ? 'full' : 'on';
      },
      (): RecordingReply => 'on',
    );
    answers.set(siteId, answer);
    return answer;
  };
  return async (site, visitorId) => {
    if (!site.recordings) return null;
    const [recording, ids] = await Promise.all([
      answerOf(site),
      running.add({ siteId: site.siteId, visitorId }).catch(() => null),
    ]);
    return (
      recording && {
        recording,
        ...(ids !== null && { recording_ids: ids }),
        ...(site.maskTexts && { mask_texts: true }),
      }
    );
  };
}
