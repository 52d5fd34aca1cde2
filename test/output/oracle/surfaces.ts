/** What a request means at its surface: its own fields, then its variant's, then the surface's. */
import type { Asked, Body } from './asked.ts';

export interface Surface {
  defaults: Body;
  /** The settings of its variants; empty without an experiment. */
  variants: readonly Body[];
}

/** Of a world: names, and what each says. */
export type Surfaces = ReadonlyMap<string, Surface>;

/** An id of an answer names the variant by its place: `r1p.experiment.1.…` */
const VARIANT = /^r1[a-z]\.[a-z0-9]{1,12}\.(\d)\./;

/** The request as its answer has to be judged. */
export function meantBy(surfaces: Surfaces, { path, body }: Asked, recommendationId: string): Asked {
  const surface = surfaces.get(String(body['surface'] ?? ''));
  if (!surface) return { path, body };
  const [, place] = VARIANT.exec(recommendationId) ?? [];
  return { path, body: { ...surface.defaults, ...surface.variants[Number(place)], ...body } };
}
