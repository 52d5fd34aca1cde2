/** Reads the popularity in a region when a question names it, and again when the counts are old. */
import type pg from 'pg';
import { readRegionSums } from '../../../db/popularity/readPopularity.ts';
import { dayOf } from '../../../domain/events/changedDays.ts';
import { dayWeights, totalAt, USUAL_PERIOD, weighedDays, type Period } from '../../../domain/output/popularity.ts';
import type { Logger } from '../../../platform/process/logger.ts';
import type { RankQuestion } from '../../messages/selectionMessages.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { RegionCounts } from '../catalogue/regionCounts.ts';

/**
 * Age at which counts are read again, in the background; the question that finds such old counts still uses them. The
 * age is a multiple of the time that the read took, between the least and the greatest age, because answers wait while
 * a large region is read: 150 ms for a city with 200,000 counts in four months. That time includes the wait for a
 * connection, so less is read again while the database is busy. Counts that are not cached are read at once, unless
 * others are being read.
 */
const FRESH = { leastMs: 30_000, timesRead: 3_000, mostMs: 600_000 };
/** Maximum number of items per region, the most popular ones. */
const MAX_ITEMS = 10_000;
/** Maximum number of concurrent reads; answers do without any others. Names of regions come from outside. */
const READS = 2;

export interface RegionReader {
  /**
   * Resolves when the catalogue has the counts, however old, or when they cannot be read, also because others are being
   * read. Never throws.
   */
  prepare(projectId: string, catalogue: Catalogue, key: string, period: Period): Promise<void>;
}

export function createRegionReader(pool: pg.Pool, logger: Logger): RegionReader {
  const reading = new Set<RunningRead>();
  const read = async (projectId: string, catalogue: Catalogue, key: string, period: Period): Promise<void> => {
    const begun = performance.now();
    try {
      const sums = await readRegionSums(pool, projectId, key, weighed(period), MAX_ITEMS);
      const freshUntil = performance.now() + freshFor(performance.now() - begun);
      catalogue.regions.keep(key, period, new RegionCounts(sums, (id) => catalogue.slotOf(id), freshUntil));
    } catch (error) {
      logger.warn({ err: error, projectId }, 'could not read what is popular in a region');
    }
  };
  return {
    async prepare(projectId, catalogue, key, period) {
      const known = catalogue.regions.find(key, period);
      if (known && performance.now() < known.freshUntil) return;
      // A catalogue that was loaded again has nothing of a read that was begun for the one before.
      let running = [...reading].find((one) => one.catalogue === catalogue && one.key === key && one.period === period);
      if (!running && reading.size < READS) {
        const begun: RunningRead = { catalogue, key, period, ended: read(projectId, catalogue, key, period) };
        running = begun;
        reading.add(begun);
        void begun.ended.finally(() => reading.delete(begun));
      }
      if (!known) await running?.ended;
    },
  };
}

interface RunningRead {
  catalogue: Catalogue;
  key: string;
  period: Period;
  ended: Promise<void>;
}

/** Returns for how many milliseconds counts are used before they are read again, if the read took `readMs`. */
export function freshFor(readMs: number): number {
  return Math.min(FRESH.mostMs, Math.max(FRESH.leastMs, readMs * FRESH.timesRead));
}

function weighed(period: Period): { day: number; total: number; fast: number; slow: number }[] {
  const now = Date.now();
  const at = totalAt(period);
  return weighedDays(dayOf(new Date(now)), period).map((day) => {
    const [total = 0, fast = 0, slow = 0] = dayWeights(day, now).slice(at, at + 3);
    return { day, total, fast, slow };
  });
}

/** Returns the regions whose counts a question needs. */
export function regionsOf(question: RankQuestion): { key: string; period: Period }[] {
  if (question.kind === 'feed') return question.places.map(({ key }) => ({ key, period: USUAL_PERIOD }));
  if (question.kind !== 'popular' || question.region === null) return [];
  return [{ key: question.region.key, period: question.period }];
}
