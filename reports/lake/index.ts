/** The lake: hits, closed visits, conversions and orders in DuckLake. */
export { openLake, type Lake } from './lake.ts';
export { commitStaged, type Committed } from './commitStaged.ts';
export type { LakeSettings } from './settings.ts';
