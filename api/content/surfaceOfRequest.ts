/** What a request means at its surface: what it names itself, then what its variant says, then the surface. */
import type pg from 'pg';
import { findSurface } from '../../db/output/surfaces.ts';
import type { Settings, Surface } from '../../domain/output/surfaces.ts';
import { assignedVariant, type Asking, type Assigned } from '../../output/serve/variants.ts';
import type { OutputBody } from './outputFields.ts';

export interface Meant {
  /** With the fields that the request leaves to its surface. */
  body: OutputBody;
  variant: Assigned['variant'];
  /** The model that the variant ranks by; null: the project's. */
  model: string | null;
}

/**
 * Read for each request, and for each of its pages: a change of a surface holds on the next one. The page's cursor is of
 * what was sent, so it goes on being taken.
 */
export async function surfaceOfRequest(pool: pg.Pool, body: OutputBody, asking: Asking): Promise<Meant> {
  const name = body.surface ?? '';
  const surface = name === '' ? null : await findSurface(pool, asking.projectId, name);
  const { variant, settings } = await assignedVariant(pool, surface?.experiment ?? null, asking);
  const { model = null, ...fields } = settings;
  // What is a surface's was judged by these schemas when it was written.
  const meant = { ...ownOf(surface), ...fields, ...body } as OutputBody;
  return { body: meant, variant, model: typeof model === 'string' ? model : null };
}

function ownOf(surface: Surface | null): Settings {
  if (!surface) return {};
  const { defaults, boosts, pins } = surface;
  return { ...defaults, ...(boosts.length > 0 && { boosts }), ...(pins.length > 0 && { pins }) };
}
