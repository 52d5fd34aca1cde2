/** The `item` object of a webhook body, as it is at the moment of the status change. */
import type { ItemStatus, StepStates } from '../../domain/steps.ts';
import type { WebhookItem } from '../../domain/webhook.ts';
import type { Queryable } from '../pool.ts';
import type { ItemRef } from './write.ts';

/** Reads the summary part; the key is absent when the item has no summary. */
export async function readWebhookItem(
  client: Queryable,
  ref: ItemRef,
  status: ItemStatus,
  processing: StepStates,
): Promise<WebhookItem> {
  const { rows } = await client.query<{ summary: NonNullable<WebhookItem['summary']> }>({
    name: 'webhook-item-summary',
    text: `select jsonb_build_object('summary', summary -> 'summary', 'topics', summary -> 'topics', 'tags', summary -> 'tags',
                                     'age_rating', summary -> 'age_rating', 'moderation', summary -> 'moderation') as summary
             from item_summaries where project_id = $1 and item_id = $2`,
    values: [ref.projectId, ref.itemId],
  });
  const summary = rows[0]?.summary;
  return { id: ref.itemId, status, processing, ...(summary ? { summary } : {}) };
}
