/** The similarity of two items by content: the cosine of the sums of their first chunk vectors. */
import type { Results } from '../world/world.ts';

/** Minimum cosine of items that count as the same, for the models of the worlds (docs/decisions/output-similar.md). */
export const SAME: Readonly<Record<string, number>> = { 'builtin-embed-2': 0.84, 'folded-1': 0.85, 'circle-1': 0.85 };
/** The effect of eight-bit quantization on a cosine: within it either answer is right. */
const BLUR = 0.02;
const CHUNKS = 16;

const known = new WeakMap<Results, WeakMap<Results, number>>();

/** Reports whether two items are certainly the same. */
export function areSame(a: Results | null, b: Results | null): boolean {
  return a !== null && b !== null && cosineOf(a, b) >= (SAME[a.model] ?? Infinity) + BLUR;
}

/** Reports whether two items may count as the same. */
export function mayBeSame(a: Results | null, b: Results | null): boolean {
  return a !== null && b !== null && cosineOf(a, b) >= (SAME[a.model] ?? Infinity) - BLUR;
}

function cosineOf(a: Results, b: Results): number {
  const ofA = known.get(a) ?? new WeakMap<Results, number>();
  known.set(a, ofA);
  const before = ofA.get(b);
  if (before !== undefined) return before;
  const cosine = compare(a, b);
  ofA.set(b, cosine);
  return cosine;
}

function compare(a: Results, b: Results): number {
  const [x, y] = [sumOf(a), sumOf(b)];
  if (a.model !== b.model || x.length === 0 || x.length !== y.length) return 0;
  const dot = (p: readonly number[], q: readonly number[]): number =>
    p.reduce((sum, value, at) => sum + value * (q[at] ?? 0), 0);
  return dot(x, y) / Math.sqrt(dot(x, x) * dot(y, y));
}

const sums = new WeakMap<Results, number[]>();

function sumOf(results: Results): number[] {
  const before = sums.get(results);
  if (before) return before;
  const chunks = results.vectors.slice(0, CHUNKS);
  const sum = Array.from(chunks[0] ?? [], (_, at) => chunks.reduce((total, chunk) => total + (chunk[at] ?? 0), 0));
  sums.set(results, sum);
  return sum;
}
