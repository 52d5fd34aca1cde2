/**
 * Selects the new items to try, by how often they were opened when they were shown: Thompson sampling.
 * output/selection/rank/newItems.ts decides which positions of a page they get, by the share `exploration`.
 */

/** Share of the positions at which new items are tried: that of a request without one, and the largest. */
export const DEFAULT_EXPLORATION = 0.1;
export const MAX_EXPLORATION = 0.3;

/** The first position, counted from 0, at which new items may be tried: the first two show the best known items. */
export const FIRST_TRIED_POSITION = 2;

/** Number of impressions after which an item counts as known. */
export const TRIED_IMPRESSIONS = 500;
/** Number of days for which an item is new. */
export const NEW_DAYS = 30;

/** The results of a new item so far. */
export interface Trial {
  impressions: number;
  /** May exceed the impressions where these are not sent. */
  opens: number;
  /** How well it fits according to data from before it was shown, from 0 to 1. */
  relevance: number;
}

/** Usual share of shown items that are opened, where the project's own rate is unknown. */
const USUAL_RATE = 0.05;
/** Weight of the prior in impressions: a tenth of the number needed to distinguish 3 % from 6 %. */
const PRIOR_IMPRESSIONS = 20;
/** Number of draws from which the probability of each item is estimated. */
const DRAWS = 32;

export interface Draw {
  /** The indexes of the items to try, the first one first. */
  tried: number[];
  /** For each trial, the probability that a position for new items goes to it. */
  chances: number[];
}

/**
 * Draws an opening rate for each trial from its Beta distribution (Thompson, 1933; Chapelle and Li, 2011), whose prior
 * is the rate of all trials, times 0.5 for the worst fit and 1.5 for the best fit.
 * @param count number of items that will be tried
 * @param random uniform from 0 to 1
 */
export function drawTrials(trials: readonly Trial[], count: number, random: () => number): Draw {
  const rate = rateOf(trials);
  const shapes = trials.map(({ impressions, opens, relevance }) => {
    const mean = Math.min(0.95, rate * (0.5 + relevance));
    return {
      opened: mean * PRIOR_IMPRESSIONS + opens,
      ignored: (1 - mean) * PRIOR_IMPRESSIONS + Math.max(0, impressions - opens),
    };
  });
  const chosen = Math.min(Math.max(1, count), trials.length);
  const rates = new Float64Array(trials.length);
  const draw = (): number[] => {
    for (const [at, { opened, ignored }] of shapes.entries()) {
      const a = gamma(opened, random);
      rates[at] = a / (a + gamma(ignored, random));
    }
    return largestOf(rates, chosen);
  };
  const first = draw();
  const wins = new Float64Array(trials.length);
  for (let n = 0; n < DRAWS; n += 1) for (const at of draw()) wins[at] = (wins[at] ?? 0) + 1;
  // A trial that was never drawn was still possible, so it counts as half a draw.
  return { tried: first, chances: [...wins].map((times) => Math.max(0.5, times) / (DRAWS * chosen)) };
}

/** Returns the indexes of the largest values, the largest first. */
function largestOf(values: Float64Array, count: number): number[] {
  const found: number[] = [];
  const isTaken = new Uint8Array(values.length);
  while (found.length < count) {
    let best = -1;
    for (let at = 0; at < values.length; at += 1)
      if (isTaken[at] === 0 && (best === -1 || (values[at] as number) > (values[best] as number))) best = at;
    isTaken[best] = 1;
    found.push(best);
  }
  return found;
}

function rateOf(trials: readonly Trial[]): number {
  const opens = trials.reduce((sum, trial) => sum + Math.min(trial.opens, trial.impressions), 0);
  const impressions = trials.reduce((sum, trial) => sum + trial.impressions, 0);
  return (opens + USUAL_RATE * PRIOR_IMPRESSIONS) / (impressions + PRIOR_IMPRESSIONS);
}

/** Constant of the quick test in {@link gamma}, from the same paper. */
const SQUEEZE = 0.0331;

/** Gamma distribution: Marsaglia and Tsang, 2000. */
function gamma(shape: number, random: () => number): number {
  if (shape < 1) return gamma(shape + 1, random) * Math.max(random(), Number.MIN_VALUE) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normal(random);
    const root = 1 + c * x;
    if (root <= 0) continue;
    const v = root * root * root;
    const u = Math.max(random(), Number.MIN_VALUE);
    // The first test spares the logarithms of nearly all draws.
    if (u < 1 - SQUEEZE * x ** 4 || Math.log(u) < x * x * 0.5 + d - d * v + d * Math.log(v)) return d * v;
  }
}

/** Normal distribution: Box and Muller, 1958. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Returns a repeatable generator of numbers from 0 to 1: mulberry32 (Ettinger, 2017). */
export function randomOf(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
