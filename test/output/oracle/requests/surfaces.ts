/** The effective request on a surface: its own fields, then its variant's, then the surface's. */
import type { Asked, Body } from './asked.ts';

export interface Surface {
  defaults: Body;
  /** The settings of its variants; empty without an experiment. */
  variants: readonly Body[];
}

/** A world's surfaces: names and settings. */
export type Surfaces = ReadonlyMap<string, Surface>;

/** An id of an answer includes the variant's index: `r1p.experiment.1.…` */
const VARIANT = /^r1[a-z]\.[a-z0-9]{1,12}\.(\d)\./;

/** Returns the request by which its answer has to be judged. */
export function meantBy(surfaces: Surfaces, { path, body }: Asked, recommendationId: string): Asked {
  const surface = surfaces.get(String(body['surface'] ?? ''));
  if (!surface) return { path, body };
  const [, place] = VARIANT.exec(recommendationId) ?? [];
  return { path, body: { ...surface.defaults, ...surface.variants[Number(place)], ...body } };
}
