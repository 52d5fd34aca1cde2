/** Checks webhooks: one delivery for each status change, received at least once, with identical repeats. */
import type { ChaosReceiver, Receipt } from '../fault.ts';
import type { ExpectedItem, ProjectName } from '../load/expected.ts';
import { PROJECT_NAMES, type CheckContext } from './context.ts';

interface DeliveryRow {
  id: string;
  item: string;
  event: string;
  status: 'pending' | 'delivered' | 'failed' | 'dropped';
  lane: string | null;
  isWaiting: boolean;
}

export async function checkDeliveries(context: CheckContext): Promise<void> {
  for (const name of PROJECT_NAMES) {
    for (const receiver of context.receivers[name]) await checkWebhook(context, name, receiver);
  }
}

async function checkWebhook(context: CheckContext, name: ProjectName, receiver: ChaosReceiver): Promise<void> {
  const { expected, findings } = context;
  const rows = await readDeliveries(context, name, receiver);
  const byItem = Map.groupBy(rows, ({ item }) => item);
  for (const item of expected.items.values()) {
    if (item.project !== name) continue;
    countEvents(context, item, byItem.get(item.id) ?? []);
    byItem.delete(item.id);
  }
  for (const [item, strange] of byItem) findings.add('doubled', `events of ${item}, which has none`, strange.length);
  checkReceipts(context, rows, receiver.requests);
}

/**
 * A retry that becomes due between the last check for waiting work and this one is not missing: a worker is sending it.
 */
const BEING_SENT_SECONDS = 30;

async function readDeliveries(
  { pool, projects }: CheckContext,
  name: ProjectName,
  { webhookId }: ChaosReceiver,
): Promise<DeliveryRow[]> {
  const { rows } = await pool.query<DeliveryRow>(
    `select d.id, d.item_id as item, d.event, d.status, d.lane,
            d.status = 'pending' and ((d.lane = 'retry' and d.next_attempt_at > now() - make_interval(secs => $3)) or coalesce(w.held_until, '-infinity') > now()) as "isWaiting"
       from deliveries d join webhooks w on w.project_id = d.project_id and w.id = d.webhook_id
      where d.project_id = $1 and d.webhook_id = $2 and d.event <> 'webhook.test'`,
    [projects[name].id, webhookId, BEING_SENT_SECONDS],
  );
  return rows;
}

function countEvents(
  { findings }: CheckContext,
  { id, events, deleted }: ExpectedItem,
  rows: readonly DeliveryRow[],
): void {
  findings.countCompared('webhooks', rows.length);
  findings.add('lost', `${events.min - rows.length} events of ${id}`, events.min - rows.length);
  findings.add('doubled', `${rows.length - events.max} events of ${id} too many`, rows.length - events.max);
  for (const { id: delivery, status, event } of rows) {
    if (event !== 'item.processed')
      findings.add('lost', `delivery ${delivery} of ${id} is ${event}: nothing was wrong with the item`);
    if (status === 'failed' || (status === 'dropped' && !deleted && events.min > 0))
      findings.add('undelivered', `delivery ${delivery} of ${id} is ${status}`);
  }
}

function checkReceipts({ findings }: CheckContext, rows: readonly DeliveryRow[], receipts: readonly Receipt[]): void {
  const byDelivery = Map.groupBy(receipts, ({ deliveryId }) => deliveryId);
  findings.countCompared('receipts', receipts.length);
  for (const row of rows) {
    const came = byDelivery.get(row.id) ?? [];
    byDelivery.delete(row.id);
    const taken = came.filter(({ answered }) => answered !== null && answered < 300);
    findings.repeats += Math.max(0, taken.length - 1);
    if (row.isWaiting) findings.waiting += 1;
    else if (row.status === 'pending')
      findings.add('undelivered', `delivery ${row.id} of ${row.item} is pending in the lane ${row.lane}`);
    else if (row.status === 'delivered' && taken.length === 0)
      findings.add('undelivered', `delivery ${row.id} of ${row.item} is marked delivered but never arrived`);
    judge(findings, row, came);
  }
  for (const [id, strange] of byDelivery)
    if (strange.some(({ event }) => event !== 'webhook.test'))
      findings.add('doubled', `delivery ${id} arrived but is not in the journal`);
}

function judge(findings: CheckContext['findings'], { id, item, event }: DeliveryRow, came: readonly Receipt[]): void {
  for (const receipt of came) {
    if (!receipt.isGenuine)
      findings.add('undelivered', `delivery ${id} came with a signature or time that a receiver must refuse`);
    if (receipt.itemId !== item || receipt.event !== event)
      findings.add('lost', `delivery ${id} came as ${receipt.event} of ${receipt.itemId}`);
  }
  if (new Set(came.map(({ contentHash }) => contentHash)).size > 1)
    findings.add('doubled', `delivery ${id} came with different contents`);
}
