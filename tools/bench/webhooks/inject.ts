/** Injects events as a status change creates them: recordItemEvent in a transaction. */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { recordItemEvent } from '../../../db/webhooks/deliveries/recordItemEvent.ts';
import { inTransaction } from '../../../db/pool.ts';
import type { WebhookItem } from '../../../domain/webhooks/webhookRequest.ts';
import { TEST_ITEM } from '../../../domain/webhooks/testItem.ts';
import { now } from './clock.ts';
import type { Hook } from './hooks.ts';

export interface Sent {
  itemId: string;
  hook: Hook;
  begunAt: number;
  /** Time of the response to the commit. */
  committedAt: number;
}

export interface Pace {
  run: string;
  /** Webhooks that get the events in turn. */
  hooks: readonly Hook[];
  perSecond: number;
  seconds: number;
}

/** Share of the requested rate below which a measurement means little. */
const MIN_PACE_SHARE = 0.95;

/** Sends in an open loop: a slow transaction does not delay the next one. */
export async function sendPaced(pool: pg.Pool, { run, hooks, perSecond, seconds }: Pace): Promise<Sent[]> {
  const start = now();
  const pending: Promise<Sent>[] = [];
  for (let n = 0; n < perSecond * seconds; n += 1) {
    const wait = start + (n * 1000) / perSecond - now();
    if (wait > 0) await delay(wait);
    pending.push(sendOne(pool, nextHook(hooks, n), itemId(run, hooks, n)));
  }
  const sent = await Promise.all(pending);
  const reached = sent.length / ((now() - start) / 1000);
  if (reached < MIN_PACE_SHARE * perSecond)
    console.error(
      `${run}: only ${reached.toFixed(0)} of ${perSecond} events a second could be created: the figures are those of an overloaded machine`,
    );
  return sent;
}

async function sendOne(pool: pg.Pool, hook: Hook, itemId: string): Promise<Sent> {
  const begunAt = now();
  await inTransaction(pool, (client) => record(client, hook, itemId));
  return { itemId, hook, begunAt, committedAt: now() };
}

const EVENTS_PER_TRANSACTION = 250;

/** Creates a backlog, in large transactions. */
export async function sendBacklog(pool: pg.Pool, run: string, hooks: readonly Hook[], count: number): Promise<void> {
  for (let first = 0; first < count; first += EVENTS_PER_TRANSACTION) {
    await inTransaction(pool, async (client) => {
      for (let n = first; n < Math.min(count, first + EVENTS_PER_TRANSACTION); n += 1)
        await record(client, nextHook(hooks, n), itemId(run, hooks, n));
    });
  }
}

async function record(client: pg.PoolClient, { projectId }: Hook, itemId: string): Promise<void> {
  const queued = await recordItemEvent(client, {
    projectId,
    itemId,
    event: 'item.processed',
    item: itemOf(itemId),
    requestId: null,
  });
  if (queued !== 1) throw new Error(`${itemId} was queued for ${queued} webhooks`);
}

/** Returns an item id by which the receiver distinguishes the webhooks of a run. */
function itemId(run: string, hooks: readonly Hook[], n: number): string {
  return `${run}/${n % hooks.length}/${n}`;
}

function nextHook(hooks: readonly Hook[], n: number): Hook {
  const hook = hooks[n % hooks.length];
  if (hook === undefined) throw new RangeError('no webhook to send to');
  return hook;
}

/** Returns an item of the size of an analysed text. */
function itemOf(id: string): WebhookItem {
  return {
    ...TEST_ITEM,
    id,
    summary: {
      summary:
        'Как проверить подпись уведомления и почему ответ на него должен приходить раньше, чем начнётся работа, которой оно требует.',
      topics: ['уведомления', 'надёжность'],
      tags: ['webhook', 'подпись', 'повтор', 'очередь'],
      age_rating: '6+',
      moderation: { level: 'none' },
    },
  };
}
