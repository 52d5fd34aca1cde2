/**
 * The first lane: claims waiting deliveries and attempts each once. Woken by a notification, by
 * outcomes that make room, and by a slow clock that finds what either has missed: leases of a crashed
 * worker, webhooks whose hold has ended, notifications lost with their connection.
 */
import { performance } from 'node:perf_hooks';
import type pg from 'pg';
import { claimDeliveries, refreshClaim, releaseClaims, type ClaimLimits } from '../../db/deliveryClaims.ts';
import type { ClaimedDelivery } from '../../domain/webhookDelivery.ts';
import type { Logger } from '../../process/logger.ts';
import { ATTEMPT_DEADLINE_MS, type Attempt } from './attempt.ts';
import type { WebhookMetrics } from './metrics.ts';
import { settled, type Recorder } from './recorder.ts';
import { ATTEMPTS_PER_WEBHOOK, URGENT_ATTEMPTS_PER_WEBHOOK, type Slots } from './slots.ts';

export interface FirstLaneDeps {
  pool: pg.Pool;
  attempt: Attempt;
  recorder: Recorder;
  slots: Slots;
  logger: Logger;
  metrics: WebhookMetrics;
  limits?: Partial<FirstLaneLimits>;
}

export interface FirstLaneLimits extends ClaimLimits {
  /** Deliveries in this process, from claim to stored outcome. */
  capacity: number;
  pollMs: number;
  /** A claim older than this reads its webhook again before it is sent. */
  freshMs: number;
}

/**
 * perWebhook is twice the 16 requests under way: the next ones wait here while the last ones are
 * being stored. A claim waits for at most one round of 10-second attempts, and the lease covers that,
 * its own attempt and the storing.
 */
const DEFAULT_LIMITS: FirstLaneLimits = {
  batch: 256, perWebhook: 2 * ATTEMPTS_PER_WEBHOOK, leaseMs: 30_000, capacity: 4096, pollMs: 1000, freshMs: 50,
};

export class FirstLane {
  readonly #deps: FirstLaneDeps;
  readonly #limits: FirstLaneLimits;
  readonly #stopping = new AbortController();
  readonly #inHand = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #claiming: Promise<void> | null = null;
  #claimAgain = false;
  /** The last claim left something behind, so room is worth a claim. */
  #more = false;

  constructor(deps: FirstLaneDeps) {
    this.#deps = deps;
    this.#limits = { ...DEFAULT_LIMITS, ...deps.limits };
  }

  start(): void {
    this.#timer = setInterval(() => this.wake(), this.#limits.pollMs);
    this.wake();
  }

  /** Looks for work now, or again when a look is under way. */
  wake(): void {
    if (this.#stopping.signal.aborted) return;
    this.#claimAgain = true;
    this.#claiming ??= this.#claimWhileAsked().finally(() => {
      this.#claiming = null;
      if (this.#claimAgain) this.wake(); // asked for between the last look and this moment
    });
  }

  /** Stops claiming, gives back what has not begun, and waits for the attempts under way. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    await this.#claiming;
    await Promise.all(this.#inHand);
  }

  async #claimWhileAsked(): Promise<void> {
    while (this.#claimAgain && !this.#stopping.signal.aborted) {
      this.#claimAgain = false;
      const room = this.#limits.capacity - this.#inHand.size;
      if (room <= 0) {
        this.#more = true;
        return;
      }
      await this.#claim(Math.min(room, this.#limits.batch)).catch((error: unknown) => {
        this.#deps.logger.warn({ err: error }, 'could not claim deliveries');
      });
    }
  }

  async #claim(batch: number): Promise<void> {
    const claimedAt = performance.now(); // before the database's clock starts the lease
    const { deliveries, more } = await claimDeliveries(this.#deps.pool, { ...this.#limits, batch });
    this.#more = more;
    if (deliveries.length > 0) this.#deps.metrics.claimSize.observe(deliveries.length);
    for (const claim of deliveries) this.#takeInHand(this.#deliver(claim, claimedAt), claim);
  }

  #takeInHand(work: Promise<void>, claim: ClaimedDelivery): void {
    const done = work
      .catch((error: unknown) => {
        // The lease ends and the attempt is made again; no attempt is spent on a fault of ours.
        this.#deps.logger.error({ err: error, projectId: claim.projectId, deliveryId: claim.deliveryId }, 'attempt not made or not stored');
      })
      .finally(() => {
        this.#inHand.delete(done);
        if (this.#more) this.wake();
      });
    this.#inHand.add(done);
  }

  async #deliver(claim: ClaimedDelivery, claimedAt: number): Promise<void> {
    const { recorder, attempt, slots, pool } = this.#deps;
    if (claim.obstacle !== null) return void (await recorder.add({ claim, dropped: claim.obstacle }));
    const release = await slots.acquire(...slotOf(claim), this.#stopping.signal);
    if (release === null) return releaseClaims(pool, [claim]);
    try {
      const current = await this.#current(claim, claimedAt);
      if (current === null) return await releaseClaims(pool, [claim]);
      if (current.obstacle !== null) return void (await recorder.add({ claim, dropped: current.obstacle }));
      const outcome = await attempt(current);
      release(); // before the storing: the slot counts requests, the lease counts deliveries
      await recorder.add(settled(current, outcome));
    } finally {
      release();
    }
  }

  /** The claim as it may be sent now, or null when its lease would not outlast the attempt. */
  async #current(claim: ClaimedDelivery, claimedAt: number): Promise<ClaimedDelivery | null> {
    const age = performance.now() - claimedAt;
    if (age < this.#limits.freshMs) return claim;
    if (age > this.#limits.leaseMs - 1.5 * ATTEMPT_DEADLINE_MS) return null;
    return refreshClaim(this.#deps.pool, claim);
  }
}

function slotOf({ webhookId, lane }: ClaimedDelivery): [key: string, limit: number] {
  return lane === 'urgent' ? [`urgent/${webhookId}`, URGENT_ATTEMPTS_PER_WEBHOOK] : [webhookId, ATTEMPTS_PER_WEBHOOK];
}
