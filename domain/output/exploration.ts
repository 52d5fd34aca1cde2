/** Which new items are tried, by how often they were opened when they were shown: Thompson sampling. */

/** From this place on, counted from 0, new items may be tried: whoever looks at the first two gets the best that is known. */
export const FIRST_TRIED_PLACE = 2;

/** Shown so often, an item is as good as known. */
export const TRIED_IMPRESSIONS = 500;
/** An item is new for so long. */
export const NEW_DAYS = 30;

/** How a new item has done so far. */
export interface Trial {
  impressions: number;
  /** May be more than the impressions where these are not sent. */
  opens: number;
  /** How well it fits by what is known without its being shown, from 0 to 1. */
  relevance: number;
}

/** What is opened of a hundred things shown, where the project's own rate is not known. */
const USUAL_RATE = 0.05;
/** The prior is worth so many impressions: a tenth of what is needed to tell 3 % from 6 %. */
const PRIOR_IMPRESSIONS = 20;
/** Draws from which the chance of each item is estimated. */
const DRAWS = 32;

export interface Draw {
  /** The numbers of those to try, the first one first. */
  tried: number[];
  /** Of each trial, the chance that a place for new items is given to it. */
  chances: number[];
}

/**
 * Draws a rate of openings for each trial from its Beta distribution (Thompson, 1933; Chapelle and Li, 2011), whose prior
 * is the rate of all trials, times 0.5 for what does not fit and 1.5 for what fits best.
 * @param places how many will be tried
 * @param random uniform from 0 to 1
 */
export function drawTrials(trials: readonly Trial[], places: number, random: () => number): Draw {
  const rate = rateOf(trials);
  const shapes = trials.map(({ impressions, opens, relevance }) => {
    const mean = Math.min(0.95, rate * (0.5 + relevance));
    return {
      opened: mean * PRIOR_IMPRESSIONS + opens,
      ignored: (1 - mean) * PRIOR_IMPRESSIONS + Math.max(0, impressions - opens),
    };
  });
  const chosen = Math.min(Math.max(1, places), trials.length);
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
  // What was never drawn was still possible: half a time.
  return { tried: first, chances: [...wins].map((times) => Math.max(0.5, times) / (DRAWS * chosen)) };
}

/** The places of the largest values, the largest first. */
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

/** Marsaglia and Tsang, 2000. */
function gamma(shape: number, random: () => number): number {
  if (shape < 1) return gamma(shape + 1, random) * Math.max(random(), Number.MIN_VALUE) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normal(random);
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(Math.max(random(), Number.MIN_VALUE)) < x * x * 0.5 + d - d * v + d * Math.log(v))
      return d * v;
  }
}

/** Box and Muller, 1958. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Numbers from 0 to 1 that a seed repeats: mulberry32 (Ettinger, 2017). */
export function randomOf(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
