/**
 * The first lane: claims waiting deliveries and attempts each once. Woken by a notification, by
 * outcomes that make room, and by a slow clock that finds what either has missed: leases of a crashed
 * worker, webhooks whose hold has ended, notifications lost with their connection.
 */
import { performance } from 'node:perf_hooks';
import type pg from 'pg';
import { claimDeliveries, refreshClaims, releaseClaims, type ClaimLimits } from '../../db/deliveryClaims.ts';
import type { ClaimedDelivery } from '../../domain/webhookDelivery.ts';
import type { Logger } from '../../process/logger.ts';
import { ATTEMPT_DEADLINE_MS, type Attempt } from './attempt.ts';
import { Batcher } from './batcher.ts';
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
}

/**
 * perWebhook is three times the 16 requests under way: the last 16 are being stored and the next 16
 * wait here meanwhile. A claim that has waited too long for its lease is given back.
 */
const DEFAULT_LIMITS: FirstLaneLimits = {
  batch: 256, perWebhook: 3 * ATTEMPTS_PER_WEBHOOK, leaseMs: 30_000, capacity: 8192, pollMs: 1000,
};

export class FirstLane {
  readonly #deps: FirstLaneDeps;
  readonly #limits: FirstLaneLimits;
  readonly #stopping = new AbortController();
  readonly #inHand = new Set<Promise<void>>();
  readonly #refresh: Batcher<ClaimedDelivery, ClaimedDelivery | null>;
  readonly #release: Batcher<ClaimedDelivery, void>;
  #timer: NodeJS.Timeout | undefined;
  #claiming: Promise<void> | null = null;
  #claimAgain = false;
  /** The last claim left something behind, so room is worth a claim. */
  #more = false;

  constructor(deps: FirstLaneDeps) {
    this.#deps = deps;
    this.#limits = { ...DEFAULT_LIMITS, ...deps.limits };
    this.#refresh = new Batcher(this.#limits.batch, (claims) => refreshClaims(deps.pool, claims));
    this.#release = new Batcher(this.#limits.batch, async (claims) => {
      await releaseClaims(deps.pool, claims);
      return claims.map(() => undefined);
    });
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
    const { recorder, attempt, slots } = this.#deps;
    const [key, limit] = slotOf(claim);
    const atOnce = slots.tryAcquire(key, limit);
    const release = atOnce ?? (await slots.acquire(key, limit, this.#stopping.signal));
    if (release === null) return this.#release.add(claim);
    try {
      const current = atOnce === null ? await this.#current(claim, claimedAt) : claim;
      if (current === null) return await this.#release.add(claim);
      if (current.obstacle !== null) return void (await recorder.add({ claim, dropped: current.obstacle }));
      const outcome = await attempt(current);
      // Before the storing, which the receiver has no part in. After a failure the breaker decides first.
      if (outcome.errorCode === null) release();
      await recorder.add(settled(current, outcome));
    } finally {
      release();
    }
  }

  /**
   * A claim that waited for a slot, as it may be sent now: its webhook may have been changed, rotated
   * or held back meanwhile. Null too when the lease would not outlast the attempt.
   */
  async #current(claim: ClaimedDelivery, claimedAt: number): Promise<ClaimedDelivery | null> {
    const age = performance.now() - claimedAt;
    return age > this.#limits.leaseMs - 1.5 * ATTEMPT_DEADLINE_MS ? null : this.#refresh.add(claim);
  }
}

function slotOf({ webhookId, lane }: ClaimedDelivery): [key: string, limit: number] {
  return lane === 'urgent' ? [`urgent/${webhookId}`, URGENT_ATTEMPTS_PER_WEBHOOK] : [webhookId, ATTEMPTS_PER_WEBHOOK];
}
