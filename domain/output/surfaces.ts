/** Surfaces: the places of a site that show recommendations, each with what its requests mean by default. */

/** Fields of a request by their names in the content API, which judged them (api/content/surfaceSettings.ts). */
export type Settings = Readonly<Record<string, unknown>>;

export interface Variant {
  name: string;
  /** Of the people, from 0 to 1. */
  share: number;
  /** They beat the surface's own. `model` among them names what ranks. */
  settings: Settings;
}

export interface Experiment {
  /** 1 to 12 characters of `a-z0-9`: ids of answers carry it. */
  id: string;
  /** Includes its moment. */
  from: Date;
  /** Does not; null: it goes on. */
  until: Date | null;
  /** Ids of answers name a variant by its place. */
  variants: readonly Variant[];
}

export interface Surface {
  /** As requests and events name it. */
  name: string;
  defaults: Settings;
  boosts: readonly unknown[];
  pins: readonly unknown[];
  experiment: Experiment | null;
}

/** All of them are one page of the cabinet. */
export const SURFACES_PER_PROJECT = 100;
/** Those of the last 90 days. */
export const EXPERIMENTS_PER_PROJECT = 1_000;
export const MIN_VARIANTS = 2;
export const MAX_VARIANTS = 4;
/** Shares add up to 1 within this: three times 0.333 is meant to be everybody. */
export const SHARE_TOLERANCE = 0.001;

export function doSharesAddUp(shares: readonly number[]): boolean {
  const sum = shares.reduce((total, share) => total + share, 0);
  // The last digits are what adding binary fractions costs.
  return Math.abs(sum - 1) <= SHARE_TOLERANCE + 1e-9;
}

export function isRunning({ from, until }: Pick<Experiment, 'from' | 'until'>, now: Date): boolean {
  return now >= from && (until === null || now < until);
}
