/** Stores the summaries of items. */
import type pg from 'pg';
import type { MediumChapter, Moderation, Provenance, Summary } from '../../../domain/analysis/results.ts';
import type { ItemRef } from '../../../domain/items/item.ts';
import { storable } from './storable.ts';

/**
 * Replaces the stored summary and its chapters. Chapters are stored by medium id, because media may change their
 * positions.
 */
export async function replaceSummary(
  client: pg.PoolClient,
  ref: ItemRef,
  result: {
    summary: Summary;
    chapters?: readonly MediumChapter[];
    moderation: Moderation | null;
    provenance: Provenance;
  },
): Promise<void> {
  const { ageRating, ...summary } = result.summary;
  const chapters = (result.chapters ?? []).map(({ mediumId, ...chapter }) => ({ medium_id: mediumId, ...chapter }));
  await client.query({
    name: 'summary-replace',
    text: `insert into item_summaries (project_id, item_id, summary, provenance) values ($1, $2, $3, $4)
           on conflict (project_id, item_id) do update set summary = excluded.summary, provenance = excluded.provenance`,
    values: [
      ref.projectId,
      ref.itemId,
      storable({
        ...summary,
        age_rating: ageRating,
        moderation: result.moderation,
        ...(chapters.length > 0 && { chapters }),
      }),
      result.provenance,
    ],
  });
}
