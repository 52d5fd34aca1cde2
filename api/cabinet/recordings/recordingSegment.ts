/**
 * The recorded visits of a saved segment: the lake has the visits, PostgreSQL the recordings.
 * reports/compile/compileRecordedVisits.ts sets the number of visits that are searched.
 */
import { loadSiteSettings } from '../../../db/sites/siteSettings.ts';
import type { RecordingFilter } from '../../../db/recordings/readRecordings.ts';
import { FAVOURITE_DAYS } from '../../../db/recordings/lifetime.ts';
import { todayIn } from '../../../reports/validate/index.ts';
import { invalidRequest, notFound } from '../../http/errors.ts';
import { findSavedSegment } from '../../reports/savedSegment.ts';
import { queryLake, type LakeQueryOptions } from '../../reports/runForClient.ts';
import type { CabinetDeps } from '../cabinetOperation.ts';
import { DAY_MS } from '../../../domain/timeUnits.ts';

/** Maximum age of recordings; favourites live longest. */
export const RECORDING_LIFE_DAYS = FAVOURITE_DAYS;

/**
 * Returns ids of visits of recorded visitors, the newest 20,000.
 * @param within range of the recordings' start times; their visits began at most a day earlier
 * @throws {HttpError} 404; 400 for a segment that the site does not have; those of {@link queryLake}
 */
export async function visitsOfSegment(
  deps: CabinetDeps,
  siteId: string,
  segmentId: string,
  within: Pick<RecordingFilter, 'since' | 'until'>,
  asking: Pick<LakeQueryOptions, 'slot' | 'signal'>,
): Promise<readonly string[]> {
  const settings = (await loadSiteSettings(deps.pool, [siteId])).get(siteId);
  if (!settings) throw notFound();
  const { segment, faults } = await findSavedSegment(deps.pool, siteId, segmentId, 'segment');
  if (segment === null) throw invalidRequest(faults);
  const now = Date.now();
  const from = Math.max(within.since?.getTime() ?? 0, now - RECORDING_LIFE_DAYS * DAY_MS) - DAY_MS;
  const to = Math.min(within.until?.getTime() ?? now, now);
  if (from > to) return [];
  const dayOf = (at: number): string => todayIn(settings.timezone, new Date(at));
  const question = { date_from: dayOf(from), date_to: dayOf(to), segment };
  return (await queryLake(deps, 'visits', question, settings, { ...asking, segmentField: 'segment' })).visits;
}
