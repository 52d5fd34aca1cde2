/** The weight that an event adds to the popularity of its item, by its type and value. */
import type { EventType } from './eventTypes.ts';

/** Values from `least` (inclusive) to `below` (exclusive); null for events without a value. */
export interface WeightBand {
  type: string;
  least: number | null;
  below: number | null;
  weight: number;
}

/** The smallest number above 0. */
const TINY = Number.MIN_VALUE;

/** Counts are stored in single precision: PostgreSQL refuses a number that is closer to 0 than its smallest one. */
const MIN_WEIGHT = 1e-30;

/**
 * Returns the bands of all types with a positive weight; negative ones subtract nothing from the popularity. A state
 * with the value 0 is revoked. A value below the lowest threshold of its map counts as if there were no map.
 */
export function weightBands(types: readonly EventType[]): WeightBand[] {
  return types
    .filter(({ weight, is_impression: isImpression }) => weight > 0 && !isImpression)
    .flatMap((type) => (type.mode === 'state' ? stateBands(type) : valueBands(type)))
    .filter((band) => band.weight >= MIN_WEIGHT);
}

function stateBands({ code: type, weight }: EventType): WeightBand[] {
  return [
    { type, least: -Infinity, below: 0, weight },
    { type, least: TINY, below: Infinity, weight },
  ];
}

function valueBands({ code: type, weight, value_map: map }: EventType): WeightBand[] {
  const thresholds = Object.entries(map ?? {})
    .map(([threshold, times]) => ({ least: Number(threshold), times }))
    .toSorted((a, b) => a.least - b.least);
  const steps = [{ least: -Infinity, times: 1 }, ...thresholds];
  return [
    { type, least: null, below: null, weight },
    ...steps.map(({ least, times }, at) => ({
      type,
      least,
      below: steps[at + 1]?.least ?? Infinity,
      weight: weight * times,
    })),
  ];
}
