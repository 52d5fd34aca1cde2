/** The lake: hits, closed visits, conversions and orders in DuckLake. */
export { openLake, openLakePatiently, type Lake } from './openLake.ts';
export type { LakeSettings } from './lakeSettings.ts';
