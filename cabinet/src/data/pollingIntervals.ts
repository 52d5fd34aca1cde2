/** How often an open page reads again what may change without it. */

/** During work whose end is awaited: an analysis, an import, a training, an imminent attempt of a webhook. */
export const UNFINISHED_MS = 1_500;
/** On a page where something may begin. */
export const LIVE_MS = 5_000;
/** For figures that change slowly. */
export const SLOW_MS = 30_000;
