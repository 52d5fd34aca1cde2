import type { cabinet } from '../../../data/client.ts';
import type { Format } from '../../../words/format.ts';
import type { Words } from '../../../words/en/index.ts';

type Rate = cabinet.OutputRate;

const DIGITS = 3;
const round = (value: number): number => Number(value.toFixed(DIGITS));

/** Formats a rate with its interval, if there is one. */
export function rateText(rate: Rate | null, { output }: Words, { number }: Format): string {
  if (rate === null) return output.none;
  const { value, low, high } = rate;
  const text = number(round(value));
  if (low === null || high === null) return text;
  return `${text} (${output.interval(number(round(low)), number(round(high)))})`;
}

/** Returns whether an interval does not show which of two is better. */
export function isUndecided(rate: Rate | null): boolean {
  return rate === null || rate.low === null || rate.high === null || (rate.low <= 0 && rate.high >= 0);
}

/** The first position of each range, counted from zero, and the position after its last. */
const RANGES: Readonly<Record<number, number>> = { 5: 10, 10: 20, 20: 50, 50: 100 };

/**
 * Formats positions, counted from 1.
 * @param position the first of its range; negative if there is none
 */
export function placeText(position: number, { output }: Words, { number }: Format): string {
  if (position < 0) return output.noPosition;
  const from = number(position + 1);
  const end = RANGES[position];
  if (end !== undefined) return output.positionRange(from, number(end));
  return position < 5 ? from : output.positionFrom(from);
}
