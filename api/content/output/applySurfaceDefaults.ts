/**
 * Combines a request with its surface: the request's own fields take precedence, then those of the variant, then those
 * of the surface.
 */
import type pg from 'pg';
import type { ReadSurface, Settings, Surface } from '../../../domain/output/surfaces.ts';
import { assignedVariant, type AssignmentInput, type Assignment } from '../../../output/serve/request/variants.ts';
import type { OutputBody } from './outputFields.ts';

export interface EffectiveRequest {
  /** Includes the fields that the request takes from its surface. */
  body: OutputBody;
  variant: Assignment['variant'];
  lot: Assignment['lot'];
  /** The model that the variant ranks by; null means the project's own. */
  model: string | null;
}

/** The page's cursor is bound to the body as sent, so it stays valid when the surface changes. */
export async function applySurfaceDefaults(
  pool: pg.Pool,
  body: OutputBody,
  surface: ReadSurface | null,
  assignmentInput: AssignmentInput,
): Promise<EffectiveRequest> {
  const { variant, lot, settings } = await assignedVariant(pool, surface?.experiment ?? null, assignmentInput);
  const { model = null, ...fields } = settings;
  // Fields of a surface were validated by these schemas when it was written.
  const effective = { ...settingsOf(surface), ...fields, ...body } as OutputBody;
  return { body: effective, variant, lot, model: typeof model === 'string' ? model : null };
}

function settingsOf(surface: Surface | null): Settings {
  if (!surface) return {};
  const { defaults, boosts, pins } = surface;
  return { ...defaults, ...(boosts.length > 0 && { boosts }), ...(pins.length > 0 && { pins }) };
}
