import { describe, expect, it } from '@jest/globals';
import { SUMS } from '../../../../domain/output/popularity.ts';
import { DAY_MS } from '../../../../domain/timeUnits.ts';
import { importsSince } from '../../../../output/selection/catalogue/importedDates.ts';
import { catalogueOf, change } from '../../support/catalogues.ts';

const TODAY = Math.floor(Date.now() / DAY_MS);
const YESTERDAY = (TODAY - 1) * DAY_MS;
const SINCE = YESTERDAY - 10 * DAY_MS;

/** A catalogue with an item for each date, all of which were met yesterday. */
function metCatalogue(dates: readonly number[]) {
  const catalogue = catalogueOf(dates.map((date, n) => change(`i-${n}`, { publishedAt: new Date(date) })));
  const counts = Array.from({ length: SUMS }, () => 1);
  for (let slot = 0; slot < dates.length; slot += 1) catalogue.popularity.set(slot, counts, TODAY - 1);
  return catalogue;
}

describe('an import', () => {
  // proves: output-request/exploration
  it('is not assumed if a publisher dates items by the day', () => {
    const midnight = Array.from({ length: 120 }, () => YESTERDAY);
    expect(importsSince(metCatalogue(midnight), SINCE)(YESTERDAY)).toBe(false);
    const imported = midnight.map((at) => at + 1);
    expect(importsSince(metCatalogue(imported), SINCE)(YESTERDAY + 1)).toBe(true);
  });

  it('is recognised if its dates lie within one clock minute, at whatever second the question is asked', () => {
    const dates = Array.from({ length: 120 }, (_, n) => YESTERDAY + 100 + n * 490);
    const catalogue = metCatalogue(dates);
    const found = [0, 15_000, 30_000, 45_000].map((ms) => importsSince(catalogue, SINCE + ms)(YESTERDAY + 30_000));
    expect(found).toEqual([true, true, true, true]);
  });
});
