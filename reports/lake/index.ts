/** The lake: hits, closed visits, conversions and orders in DuckLake. */
export { openLake, openLakeWithRetry, type Lake } from './openLake.ts';
export type { LakeSettings } from './lakeSettings.ts';
