/** Surfaces: the places of a site that show recommendations, each with the defaults of its requests. */

/**
 * Fields of a request by their names in the content API. They were validated when they were set
 * (api/cabinet/output/surfaceDefaultsAndVariants.ts).
 */
export type Settings = Readonly<Record<string, unknown>>;

export interface Variant {
  name: string;
  /** Share of the people, from 0 to 1. */
  share: number;
  /** Fields of a request, which override those of the surface, or `model`, which names the ranking model. */
  settings: Settings;
}

export interface Experiment {
  /** 1 to 12 characters of `a-z0-9`: ids of answers contain it. */
  id: string;
  /** Inclusive. */
  from: Date;
  /** Exclusive; null: it has no end. */
  until: Date | null;
  /** Ids of answers name a variant by its index. */
  variants: readonly Variant[];
}

/** An experiment as requests read it. */
export interface ReadExperiment extends Experiment {
  /** When shares or settings were last changed, as PostgreSQL writes it: a Date has no microseconds. */
  changedAt: string;
}

export interface Surface {
  /** The name in requests and events. */
  name: string;
  defaults: Settings;
  boosts: readonly unknown[];
  pins: readonly unknown[];
  experiment: Experiment | null;
}

/** A surface as requests read it. */
export interface ReadSurface extends Surface {
  experiment: ReadExperiment | null;
}

/** The cabinet shows all of them on one page. */
export const SURFACES_PER_PROJECT = 100;
export function isRunning({ from, until }: Pick<Experiment, 'from' | 'until'>, now: Date): boolean {
  return now >= from && (until === null || now < until);
}

/** Returns the ids of the models that variants name. */
export function namedModels(variants: readonly Variant[]): string[] {
  return variants.flatMap(({ settings: { model } }) => (typeof model === 'string' ? [model] : []));
}
