/** Figures with their targets, and their table. */

export interface Figure {
  name: string;
  value: number;
  unit: string;
  /** The target, e.g. `>= 25`; null for figures without one. */
  aim: string | null;
}

/** Returns the p-th percentile (0–100) by the nearest-rank method. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((p / 100) * sorted.length) - 1)] ?? Number.NaN;
}

/** Returns whether a figure reaches its target; null without one. */
export function reachesAim({ value, aim }: Figure): boolean | null {
  const match = /^(<=|>=|<|>) ([\d.]+)$/.exec(aim ?? '');
  if (!match) return null;
  const limit = Number(match[2]);
  switch (match[1]) {
    case '<=':
      return value <= limit;
    case '>=':
      return value >= limit;
    case '<':
      return value < limit;
    default:
      return value > limit;
  }
}

export function printFigures(figures: readonly Figure[]): void {
  console.table(
    figures.map((figure) => ({
      figure: figure.name,
      value: Number(figure.value.toPrecision(4)),
      unit: figure.unit,
      aim: figure.aim ?? '',
      reached: reachesAim(figure) ?? '',
    })),
  );
}
