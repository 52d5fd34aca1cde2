/** How often an open page reloads data that may change without its doing. */

/** During work whose end is awaited: an analysis, an import, training, an imminent webhook attempt. */
export const UNFINISHED_MS = 1_500;
/** On a page where something may begin. */
export const LIVE_MS = 5_000;
/** For figures that change slowly. */
export const SLOW_MS = 30_000;
