/** Claims of deliveries, each for one attempt. A claim is a lease in the row, so a crash repeats the attempt. */
import { BREAKER_THRESHOLD } from '../../../domain/webhooks/breaker.ts';
import type { ClaimedDelivery, Lane, Obstacle } from '../../../domain/webhooks/deliveryStates.ts';
import type { WebhookEvent, WebhookItem } from '../../../domain/webhooks/webhookRequest.ts';
import { DROPPED_WITH_ITEM } from './droppedWithItem.ts';
import { headsOf } from './webhooksInLane.ts';
import type { Queryable } from '../../pool.ts';

export interface ClaimLimits {
  /** Maximum number of deliveries in one claim. */
  batch: number;
  /** Maximum number of deliveries of one webhook under lease at a time, over all workers. */
  perWebhook: number;
  /** The same maximum for deliveries that people requested; they are counted separately. */
  urgentPerWebhook: number;
  leaseMs: number;
  /** This worker's share of `perWebhook`, when there are several workers. */
  own?: OwnPart;
}

export interface OwnPart {
  perWebhook: number;
  /** Number of first attempts that this worker already holds, by webhook. */
  inHand: ReadonlyMap<string, number>;
}

export interface Claims {
  deliveries: ClaimedDelivery[];
  /**
   * Webhooks with at least as many waiting deliveries as they may have in hand: when one ends, the next can be claimed.
   */
  atLimit: string[];
  /** The batch was full, so more deliveries may be waiting, of any webhook. */
  isFull: boolean;
}

interface ClaimRow {
  project_id: string;
  id: string;
  webhook_id: string;
  lane: Lane;
  attempt: number;
  schedule_start: number;
  event: WebhookEvent;
  item: WebhookItem;
  url: string;
  secret: Buffer;
  obstacle: Obstacle | null;
  lease: string;
}

/** Number of tests and resends of a webhook that a claim reads to find those in hand and the next ones. */
const URGENT_WINDOW = 1000;

const IS_FREE = '(d.leased_until is null or d.leased_until <= now())';

/** SQL: the number of a webhook's deliveries that one of several workers may still take. */
const LEFT_OVER = ', $3::int - coalesce((select m.count from mine m where m.webhook_id = w.id), 0) as left_over';

const OBSTACLE = `
         case when p.state <> 'active' or c.state <> 'active' then 'project'
              when not w.enabled and (d.event <> 'webhook.test' or w.deleted_at is not null) then 'webhook'
              when ${DROPPED_WITH_ITEM} then 'item'
         end as obstacle`;

const FROM_CLAIMED = `
    from claimed d
    join webhooks w on w.project_id = d.project_id and w.id = d.webhook_id
    join projects p on p.id = d.project_id
    join clients c on c.id = p.client_id
    left join items i on i.project_id = d.project_id and i.id = d.item_id`;

/** Deliveries that are left to other workers are not free for this worker, but are worth another look. */
const WITHIN_PART = `d.free and d.free_turn <= w.left_over as free, d.turn,
               d.turn = w.allowed or d.free and d.free_turn > w.left_over as at_limit`;

/** The claimed rows with the current state of their webhook: a rotated secret applies from the next request on. */
const WITH_WEBHOOK = `
  select d.project_id, d.id, d.webhook_id, d.lane, d.attempt, d.schedule_start, d.event, d.item, w.url, w.secret, d.leased_until::text as lease, ${OBSTACLE}
  ${FROM_CLAIMED}`;

/**
 * Claims first attempts and requested attempts, oldest first and round-robin over the webhooks: the first of each, then
 * the second of each, and so on. Requested attempts go first.
 *
 * A long backlog of one webhook costs the others nothing (headsOf). Only the first `perWebhook` waiting rows of a
 * webhook are read; those of them that are under lease are its attempts in hand. A webhook whose address is down is
 * left alone until `held_until` and then gets one attempt at a time until a 2xx (domain/webhooks/breaker.ts). Rows
 * become urgent in any order of their ids, so urgent attempts in hand are looked for in a wider window and counted
 * first. When there are several workers, each of them takes only its share of a webhook's waiting rows, because it
 * could not send all of them at once.
 */
export async function claimDeliveries(pool: Queryable, limits: ClaimLimits): Promise<Claims> {
  const { own } = limits;
  const { rows } = await pool.query<Partial<ClaimRow> & { webhooks_at_limit: string[]; is_full: boolean }>({
    name: `deliveries-claim-${limits.perWebhook}-${limits.urgentPerWebhook}${own ? '-shared' : ''}`,
    text: claimText(limits),
    values: [
      limits.batch,
      limits.leaseMs,
      ...(own ? [own.perWebhook, [...own.inHand.keys()], [...own.inHand.values()]] : []),
    ],
  });
  const claimed: Partial<ClaimRow>[] = rows;
  return {
    deliveries: claimed.filter(isClaimed).map(toClaimed),
    atLimit: rows[0]?.webhooks_at_limit ?? [],
    isFull: rows[0]?.is_full ?? false,
  };
}

/**
 * Returns the statement. A plan of it that was cached while the tables were small stays acceptable: limits are
 * literals, and rows that the lane's index has found are locked and updated by their address (ctid). When they were
 * looked up by key, such a plan read them through another index: 500 ms instead of 20 with 75,000 waiting rows.
 */
function claimText({ perWebhook, urgentPerWebhook, own }: ClaimLimits): string {
  return `
      with recursive ${own ? 'mine as materialized (select * from unnest($4::uuid[], $5::int[]) as m (webhook_id, count)), ' : ''}first_heads as (${headsOf('first', 'first_heads')}
      ), urgent_heads as (${headsOf('urgent', 'urgent_heads')}
      ), firsts as materialized (
        select h.webhook_id, d.tid, ${own ? WITHIN_PART : 'd.free, d.turn, d.turn = w.allowed as at_limit'}
          from first_heads h
         cross join lateral (
           select case when w.failures_in_row >= ${BREAKER_THRESHOLD} then 1 else ${perWebhook} end as allowed${own ? LEFT_OVER : ''}
             from webhooks w
            where w.project_id = h.project_id and w.id = h.webhook_id and (w.held_until is null or w.held_until <= now())
            limit 1) w
         cross join lateral (
           select o.*, row_number() over (order by o.id) as turn${own ? ', row_number() over (partition by o.free order by o.id) as free_turn' : ''} from (
             select d.ctid as tid, d.id, ${IS_FREE} as free from deliveries d
              where d.lane = 'first' and d.project_id = h.project_id and d.webhook_id = h.webhook_id
              order by d.id limit ${perWebhook}) o) d
         where d.turn <= w.allowed
      ), urgents as materialized (
        select h.webhook_id, d.tid, d.free, d.turn, d.turn = ${urgentPerWebhook} as at_limit
          from urgent_heads h
         cross join lateral (
           select o.*, row_number() over (order by o.free, o.id) as turn from (
             select d.ctid as tid, d.id, ${IS_FREE} as free from deliveries d
              where d.lane = 'urgent' and d.project_id = h.project_id and d.webhook_id = h.webhook_id
              order by d.id limit ${URGENT_WINDOW}) o) d
         where d.turn <= ${urgentPerWebhook}
      ), waiting as materialized (
        select webhook_id, tid, free, turn, at_limit from firsts
        union all
        select webhook_id, tid, free, turn - ${urgentPerWebhook}, at_limit from urgents
      ), chosen as materialized (
        select d.tid
          from (select tid from waiting where free order by turn limit $1) o
         cross join lateral (
           select d.ctid as tid from deliveries d
            where d.ctid = o.tid and ${IS_FREE} and d.lane in ('first', 'urgent')
            limit 1 for update skip locked) d
      ), claimed as (
        update deliveries d set leased_until = now() + $2::int * interval '1 millisecond'
          from chosen c where d.ctid = c.tid
        returning d.project_id, d.id, d.webhook_id, d.lane, d.attempt, d.schedule_start, d.event, d.item_id, d.item, d.leased_until
      )
      select m.*, r.*
        from (select array(select distinct webhook_id::text from waiting where at_limit) as webhooks_at_limit,
                     (select count(*) from chosen) >= $1 as is_full) m
        left join (${WITH_WEBHOOK}) r on true
       order by r.id`;
}

/**
 * Gives unused claims back, so that nobody has to wait for their lease to expire. A claim whose lease has expired and
 * that another worker now holds is left alone.
 */
export async function releaseClaims(pool: Queryable, claims: readonly ClaimedDelivery[]): Promise<void> {
  await pool.query({
    name: 'deliveries-release',
    text: `update deliveries d set leased_until = null
             from unnest($1::text[], $2::uuid[], $3::timestamptz[]) as o (project_id, id, lease)
            where d.project_id = o.project_id and d.id = o.id and d.leased_until = o.lease`,
    values: keysOf(claims),
  });
}

/**
 * Rereads claims that had to wait, with their webhooks, in the order of `claims`. Null stands for a delivery that
 * may not be attempted now: it was deleted, was held back since, or is held by another worker.
 */
export async function refreshClaims(
  pool: Queryable,
  claims: readonly ClaimedDelivery[],
): Promise<(ClaimedDelivery | null)[]> {
  const { rows } = await pool.query<Pick<ClaimRow, 'id' | 'url' | 'secret' | 'obstacle'>>({
    name: 'deliveries-refresh',
    text: `with claimed as (
             select d.project_id, d.id, d.webhook_id, d.event, d.item_id from unnest($1::text[], $2::uuid[], $3::timestamptz[]) as o (project_id, id, lease)
               join deliveries d on d.project_id = o.project_id and d.id = o.id
               join webhooks w on w.project_id = d.project_id and w.id = d.webhook_id
              where d.leased_until = o.lease and d.leased_until > now()
                and (d.lane <> 'first' or w.held_until is null or w.held_until <= now()))
           select d.id, w.url, w.secret, ${OBSTACLE}
           ${FROM_CLAIMED}`,
    values: keysOf(claims),
  });
  const current = new Map(rows.map(({ id, ...webhook }) => [id, webhook]));
  return claims.map((claim) => {
    const webhook = current.get(claim.deliveryId);
    return webhook === undefined ? null : { ...claim, ...webhook };
  });
}

/**
 * Claims one delivery of the retry lane for its attempt number `attempt`. Null when another worker holds it, when it
 * has gone beyond that attempt, or when it is not due yet: see `readProgress`. Clocks may differ by a second.
 */
export async function claimRetry(
  pool: Queryable,
  projectId: string,
  deliveryId: string,
  attempt: number,
  leaseMs: number,
): Promise<ClaimedDelivery | null> {
  const { rows } = await pool.query<ClaimRow>({
    name: 'deliveries-claim-retry',
    text: `with claimed as (
             update deliveries d set leased_until = now() + $4::int * interval '1 millisecond'
              where d.project_id = $1 and d.id = $2 and d.lane = 'retry' and d.attempt = $3::int - 1 and ${IS_FREE}
                and (d.next_attempt_at is null or d.next_attempt_at <= now() + interval '1 second')
             returning d.*)
           ${WITH_WEBHOOK}`,
    values: [projectId, deliveryId, attempt, leaseMs],
  });
  const row = rows[0];
  return row === undefined ? null : toClaimed(row);
}

function keysOf(claims: readonly ClaimedDelivery[]): [projectIds: string[], deliveryIds: string[], leases: string[]] {
  return [
    claims.map((claim) => claim.projectId),
    claims.map((claim) => claim.deliveryId),
    claims.map((claim) => claim.lease),
  ];
}

function isClaimed(row: Partial<ClaimRow>): row is ClaimRow {
  return row.id !== null && row.id !== undefined;
}

function toClaimed(row: ClaimRow): ClaimedDelivery {
  return {
    projectId: row.project_id,
    deliveryId: row.id,
    webhookId: row.webhook_id,
    lane: row.lane,
    attempt: row.attempt + 1,
    scheduleStart: row.schedule_start,
    event: row.event,
    item: row.item,
    url: row.url,
    secret: row.secret,
    obstacle: row.obstacle,
    lease: row.lease,
  };
}
