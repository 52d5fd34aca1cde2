/** Positions of values in a chart. */
import { nice, ticks } from 'd3-array';

const TICKS = 4;

/**
 * Returns the upper edge of a chart that begins at zero, and its round grid values: whole numbers if all values are
 * whole.
 */
export function yScale(given: readonly (number | null)[]): { top: number; ticks: number[] } {
  const values = given.filter((value) => value !== null);
  const max = Math.max(0, ...values);
  const [, top] = nice(0, max > 0 ? max : 1, TICKS);
  const marked = ticks(0, top, TICKS);
  return { top, ticks: values.every(Number.isInteger) ? marked.filter(Number.isInteger) : marked };
}

/**
 * Returns the path through evenly spaced values, in a square of 1,000 units with zero at its lower edge. Missing values
 * interrupt it.
 */
export function linePath(values: readonly (number | null)[], top: number): string {
  const [only = null] = values;
  // A single value is drawn as a horizontal line, since a point cannot be seen.
  const drawn = values.length === 1 ? [only, only] : values;
  const step = 1000 / Math.max(1, drawn.length - 1);
  const isBroken = (index: number): boolean => (drawn[index] ?? null) === null;
  return drawn
    .map((value, index) => {
      if (value === null) return '';
      const point = `${round(index * step)} ${round(1000 - (value / top) * 1000)}`;
      if (!isBroken(index - 1)) return `L${point}`;
      // A value between gaps is a dot.
      return isBroken(index + 1) ? `M${point}L${point}` : `M${point}`;
    })
    .join('');
}

const round = (value: number): number => Math.round(value * 10) / 10;
