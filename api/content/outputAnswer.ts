/** An answer of output/serve as the content API tells it. */
import type pg from 'pg';
import { readItemFields } from '../../db/output/fields.ts';
import type { OutputRequest } from '../../output/serve/request.ts';
import type { OutputAnswer } from '../../output/serve/serve.ts';
import type { Static } from '../../schemas/schema.ts';
import type { OutputResponse } from './outputFields.ts';

export async function toOutputBody(
  pool: pg.Pool,
  { projectId, fields }: OutputRequest,
  { recommendationId, mode, model, shown, nextCursor }: OutputAnswer,
): Promise<Static<typeof OutputResponse>> {
  const ids = shown.map(({ item }) => item.id);
  const known = fields.length > 0 ? await readItemFields(pool, projectId, ids) : null;
  return {
    recommendation_id: recommendationId,
    mode,
    model,
    items: shown.map(({ item, position, score, reason }) => {
      const all = known?.get(item.id);
      return {
        id: item.id,
        position,
        score,
        reason,
        ...(all && { fields: Object.fromEntries(fields.map((field) => [field, all[field]])) }),
      };
    }),
    next_cursor: nextCursor,
  };
}
