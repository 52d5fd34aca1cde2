/** The `item` object of a webhook body, as it is at the moment of the status change. */
import type { ItemStatus, StepStates } from '../../../domain/analysis/steps.ts';
import type { WebhookItem } from '../../../domain/webhooks/webhookRequest.ts';
import type { Queryable } from '../../pool.ts';
import { JOIN_RESULTS, MODERATION } from '../../currentResults.ts';
import type { ItemRef } from '../../../domain/items/item.ts';

interface Results {
  summary: NonNullable<WebhookItem['summary']> | null;
  moderation: NonNullable<WebhookItem['moderation']> | null;
}

/** Reads the summary and the moderation; the key of either is absent when the item has none. */
export async function readWebhookItem(
  client: Queryable,
  ref: ItemRef,
  status: ItemStatus,
  processing: StepStates,
): Promise<WebhookItem> {
  const { rows } = await client.query<Results>({
    name: 'webhook-item-results',
    text: `select case when s.summary is not null then
                    jsonb_build_object('summary', s.summary -> 'summary', 'topics', s.summary -> 'topics', 'tags', s.summary -> 'tags',
                                       'age_rating', s.summary -> 'age_rating', 'moderation', s.summary -> 'moderation') end as summary,
                  ${MODERATION} as moderation
             from items i ${JOIN_RESULTS} where i.project_id = $1 and i.id = $2`,
    values: [ref.projectId, ref.itemId],
  });
  const { summary, moderation } = rows[0] ?? { summary: null, moderation: null };
  return { id: ref.itemId, status, processing, ...(summary && { summary }), ...(moderation && { moderation }) };
}
