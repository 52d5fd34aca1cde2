/**
 * The first lane: claims waiting deliveries and attempts each once. Woken by a notification, by
 * outcomes that make room, and by a slow clock that finds what either has missed: leases of a crashed
 * worker, webhooks whose hold has ended, notifications lost with their connection.
 */
import { performance } from 'node:perf_hooks';
import { claimDeliveries, refreshClaims, releaseClaims, type OwnPart } from '../db/deliveryClaims.ts';
import type { Settlement } from '../db/deliveryOutcomes.ts';
import type { ClaimedDelivery } from '../domain/webhookDelivery.ts';
import type { Logger } from '../process/logger.ts';
import { WakeUp } from '../process/wakeUp.ts';
import { Batcher } from '../process/batcher.ts';
import { ATTEMPTS_PER_WEBHOOK, checkLimits, DEFAULT_LIMITS, LEASE_RESERVE_MS, type FirstLaneLimits } from './limits.ts';
import type { WebhookMetrics } from './metrics.ts';
import type { LaneParts } from './laneParts.ts';
import type { SlotKind } from './slots.ts';

export interface FirstLaneDeps extends LaneParts {
  logger: Logger;
  metrics: WebhookMetrics;
  limits?: Partial<FirstLaneLimits>;
}

export class FirstLane {
  readonly #deps: FirstLaneDeps;
  readonly #limits: FirstLaneLimits;
  readonly #stopping = new AbortController();
  readonly #wakeUp = new WakeUp();
  readonly #inHand = new Set<Promise<void>>();
  readonly #refresh: Batcher<ClaimedDelivery, ClaimedDelivery | null>;
  readonly #release: Batcher<ClaimedDelivery, void>;
  #claiming: Promise<void> = Promise.resolve();
  /** First attempts in hand, by webhook. */
  readonly #inHandOf = new Map<string, number>();
  /** The last claim left something behind, so any room is worth a claim. */
  #isFull = false;
  /** The webhooks of which it left something behind: only their own room is worth a claim. */
  #atLimit: ReadonlySet<string> = new Set();

  constructor(deps: FirstLaneDeps) {
    this.#deps = deps;
    this.#limits = checkLimits({ ...DEFAULT_LIMITS, ...deps.limits });
    this.#refresh = new Batcher(this.#limits.batch, (claims) => refreshClaims(deps.pool, claims));
    this.#release = new Batcher(this.#limits.batch, async (claims) => {
      await releaseClaims(deps.pool, claims);
      return claims.map(() => undefined);
    });
  }

  start(): void {
    this.#claiming = this.#claimUntilStopped();
  }

  /** Looks for work now, or again when a look is under way. */
  wake(): void {
    this.#wakeUp.ring();
  }

  /** Stops claiming, gives back what has not begun, and waits for the attempts under way. */
  async close(): Promise<void> {
    this.#stopping.abort();
    this.wake();
    await this.#claiming;
    await Promise.all(this.#inHand);
  }

  async #claimUntilStopped(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await this.#claim().catch((error: unknown) =>
        this.#deps.logger.warn({ err: error }, 'could not claim deliveries'),
      );
      if (!this.#stopping.signal.aborted) await this.#wakeUp.sleep(this.#limits.pollMs);
    }
  }

  async #claim(): Promise<void> {
    const room = this.#limits.capacity - this.#inHand.size;
    this.#isFull = true;
    if (room <= 0 || this.#deps.slots.limit === 0) return;
    const claimedAt = performance.now(); // before the database's clock starts the lease
    const { deliveries, atLimit, isFull } = await claimDeliveries(this.#deps.pool, {
      ...this.#limits,
      ...this.#ownPart(),
      batch: Math.min(room, this.#limits.batch),
    });
    this.#isFull = isFull;
    this.#atLimit = new Set(atLimit);
    if (deliveries.length > 0) this.#deps.metrics.claimSize.observe(deliveries.length);
    for (const claim of deliveries) this.#takeInHand(this.#deliver(claim, claimedAt), claim);
  }

  /** Beside others this worker takes as many times its own slots as a single one takes of all. */
  #ownPart(): { own?: OwnPart } {
    const { slots } = this.#deps;
    if (slots.limit >= ATTEMPTS_PER_WEBHOOK) return {};
    return {
      own: {
        perWebhook: Math.ceil((this.#limits.perWebhook * slots.limit) / ATTEMPTS_PER_WEBHOOK),
        inHand: this.#inHandOf,
      },
    };
  }

  #count({ lane, webhookId }: ClaimedDelivery, change: number): void {
    if (lane !== 'first') return;
    const count = (this.#inHandOf.get(webhookId) ?? 0) + change;
    if (count === 0) this.#inHandOf.delete(webhookId);
    else this.#inHandOf.set(webhookId, count);
  }

  #takeInHand(work: Promise<void>, claim: ClaimedDelivery): void {
    this.#count(claim, 1);
    const done = work
      .catch((error: unknown) => {
        // The lease ends and the attempt is made again; no attempt is spent on a fault of ours.
        this.#deps.logger.error(
          { err: error, projectId: claim.projectId, deliveryId: claim.deliveryId },
          'attempt not made or not stored',
        );
      })
      .finally(() => {
        this.#inHand.delete(done);
        this.#count(claim, -1);
        if (this.#isFull || this.#atLimit.has(claim.webhookId)) this.wake();
      });
    this.#inHand.add(done);
  }

  async #deliver(claim: ClaimedDelivery, claimedAt: number): Promise<void> {
    const { recorder, attempt, slots } = this.#deps;
    const kind: SlotKind = claim.lane === 'urgent' ? 'urgent' : 'ordinary';
    const atOnce = slots.tryAcquire(claim.webhookId, kind);
    const release = atOnce ?? (await slots.acquire(claim.webhookId, kind, this.#stopping.signal));
    if (release === null) return this.#release.add(claim);
    try {
      const current = atOnce === null ? await this.#current(claim, claimedAt) : claim;
      if (current === null) return await this.#release.add(claim);
      const settlement = await attempt(current);
      // Before the storing, which the receiver has no part in. After a failure the breaker decides first.
      if (isDelivered(settlement)) release();
      await recorder.add(settlement);
    } finally {
      release();
    }
  }

  /**
   * A claim that waited for a slot, as it may be sent now: its webhook may have been changed, rotated
   * or held back meanwhile. Null too when the lease would not outlast the attempt, or this worker may
   * make none any more.
   */
  async #current(claim: ClaimedDelivery, claimedAt: number): Promise<ClaimedDelivery | null> {
    const age = performance.now() - claimedAt;
    if (age > this.#limits.leaseMs - LEASE_RESERVE_MS) return null;
    const current = await this.#refresh.add(claim);
    return this.#deps.slots.limit === 0 ? null : current;
  }
}

function isDelivered(settlement: Settlement): boolean {
  return 'outcome' in settlement && settlement.outcome.errorCode === null;
}
