/**
 * The first lane: claims waiting deliveries and attempts each once. It is woken by a notification, by outcomes that
 * free slots, and by a slow timer that finds what both have missed: leases of a crashed worker, webhooks whose hold has
 * ended, and notifications lost with their connection.
 */
import { performance } from 'node:perf_hooks';
import { claimDeliveries, refreshClaims, releaseClaims, type OwnPart } from '../../db/webhooks/deliveries/claims.ts';
import type { Settlement } from '../../db/webhooks/deliveries/outcomes.ts';
import type { ClaimedDelivery } from '../../domain/webhooks/deliveryStates.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { WakeUp } from '../../platform/process/concurrency/wakeUp.ts';
import { Batcher } from '../../platform/process/concurrency/batcher.ts';
import { checkLimits, DEFAULT_LIMITS, LEASE_RESERVE_MS, type FirstLaneLimits } from './firstLaneLimits.ts';
import type { WebhookMetrics } from './metrics.ts';
import type { LaneParts } from './laneParts.ts';
import { ATTEMPTS_PER_WEBHOOK, type SlotKind } from './attemptSlots.ts';

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
  readonly #inFlight = new Set<Promise<void>>();
  readonly #refresh: Batcher<ClaimedDelivery, ClaimedDelivery | null>;
  readonly #release: Batcher<ClaimedDelivery, void>;
  #claiming: Promise<void> = Promise.resolve();
  /** Number of first attempts in progress, by webhook. */
  readonly #inFlightByWebhook = new Map<string, number>();
  /** True when the last claim left deliveries behind: any free capacity is then worth another claim. */
  #isFull = false;
  /**
   * Webhooks whose limits made the last claim leave deliveries behind; another claim for them is worth it only when
   * they have free slots themselves.
   */
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

  /** Looks for work now, or again after the current look. */
  wake(): void {
    this.#wakeUp.ring();
  }

  /** Stops claiming, releases claims that have not begun, and waits for attempts in progress. */
  async close(): Promise<void> {
    this.#stopping.abort();
    this.wake();
    await this.#claiming;
    await Promise.all(this.#inFlight);
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
    const room = this.#limits.capacity - this.#inFlight.size;
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
    for (const claim of deliveries) this.#track(this.#deliver(claim, claimedAt), claim);
  }

  /**
   * Returns this worker's part of the limits. For each of its slots it may claim as many deliveries as a single worker
   * may.
   */
  #ownPart(): { own?: OwnPart } {
    const { slots } = this.#deps;
    if (slots.limit >= ATTEMPTS_PER_WEBHOOK) return {};
    return {
      own: {
        perWebhook: Math.ceil((this.#limits.perWebhook * slots.limit) / ATTEMPTS_PER_WEBHOOK),
        inHand: this.#inFlightByWebhook,
      },
    };
  }

  #count({ lane, webhookId }: ClaimedDelivery, change: number): void {
    if (lane !== 'first') return;
    const count = (this.#inFlightByWebhook.get(webhookId) ?? 0) + change;
    if (count === 0) this.#inFlightByWebhook.delete(webhookId);
    else this.#inFlightByWebhook.set(webhookId, count);
  }

  #track(work: Promise<void>, claim: ClaimedDelivery): void {
    this.#count(claim, 1);
    const done = work
      .catch((error: unknown) => {
        // The lease ends and the attempt is made again; errors of our own use up no attempt.
        this.#deps.logger.error(
          { err: error, projectId: claim.projectId, deliveryId: claim.deliveryId },
          'a webhook attempt was not made or not stored',
        );
      })
      .finally(() => {
        this.#inFlight.delete(done);
        this.#count(claim, -1);
        if (this.#isFull || this.#atLimit.has(claim.webhookId)) this.wake();
      });
    this.#inFlight.add(done);
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
      // The slot is released before the outcome is stored, which does not involve the receiver. After a failure the
      // breaker decides first.
      if (isDelivered(settlement)) release();
      await recorder.add(settlement);
    } finally {
      release();
    }
  }

  /**
   * Returns the current data of a claim that waited for a slot: its webhook may have been changed or held back, or its
   * secret rotated. Null when it may not be attempted any more, when the lease would not outlast the attempt, or when
   * this worker may make no more attempts.
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
