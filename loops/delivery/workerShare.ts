/**
 * This worker's share of the requests to one webhook (db/webhooks/deliveries/workerShares.ts), which is renewed every
 * second. A worker that gets no answer stops before the others take over its part, so the sum never exceeds the limit.
 */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import {
  endShare,
  openWorkerSession,
  renewShare,
  type WorkerShare,
} from '../../db/webhooks/deliveries/workerShares.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { WakeUp } from '../../platform/process/concurrency/wakeUp.ts';
import { ATTEMPT_DEADLINE_MS } from './attempt.ts';
import type { DatabaseClock } from './databaseClock.ts';
import { ATTEMPTS_PER_WEBHOOK, type AttemptSlots } from './attemptSlots.ts';

const RENEW_MS = 1_000;
/** Interval while this worker waits for others to release slots, or must still release some itself. */
const CHANGING_MS = 200;
/** Validity of an answer. */
const VALID_MS = 4_000;
const MARGIN_MS = 1_000;
/** Time after which the others may assume that this worker begins no more attempts. */
const SILENCE_MS = VALID_MS + MARGIN_MS;
/** Time after which the others may assume that this worker has no attempt in progress. */
const EXPIRY_MS = SILENCE_MS + ATTEMPT_DEADLINE_MS + MARGIN_MS;

export interface WorkerShareDeps {
  databaseUrl: string;
  /** Read in the same session before each renewal. */
  clock: DatabaseClock;
  slots: AttemptSlots;
  logger: Logger;
  /** Called when the worker may make more attempts than before. */
  onRoom(): void;
}

export class WorkerShareRenewer {
  readonly #deps: WorkerShareDeps;
  readonly #workerId = randomUUID();
  readonly #pause = new WakeUp();
  #session: pg.Client | null = null;
  #share: WorkerShare = { slots: 0, waits: true };
  #stopping = false;
  #running: Promise<void> = Promise.resolve();

  constructor(deps: WorkerShareDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#running = this.#renewUntilStopped();
  }

  /** Allows no more attempts, waits for those in progress, and leaves its part to the others. */
  async close(): Promise<void> {
    this.#stopping = true;
    this.#pause.ring();
    await this.#running;
    this.#deps.slots.allow(0);
    await this.#deps.slots.idle();
    const session = this.#session;
    if (session === null) return;
    // If this fails, the others wait until the row expires.
    await endShare(session, this.#workerId).catch(() => {});
    await session.end().catch(() => {});
  }

  async #renewUntilStopped(): Promise<void> {
    while (!this.#stopping) {
      const settled = await this.#renew().catch((error: unknown) => this.#dropSession(error));
      if (!this.#stopping) await this.#pause.sleep(settled ? RENEW_MS : CHANGING_MS);
    }
  }

  /** @returns true when the worker has exactly the slots that it should have */
  async #renew(): Promise<boolean> {
    const session = (this.#session ??= await openWorkerSession(this.#deps.databaseUrl));
    await this.#deps.clock.read(session);
    const inForce = await this.#ask(session);
    // Excess slots are released at once, and those in use when their attempts have ended.
    const left = inForce > this.#share.slots ? await this.#ask(session) : inForce;
    return !this.#share.waits && left <= this.#share.slots;
  }

  /** @returns the number of slots that the worker reported as in use */
  async #ask(session: pg.Client): Promise<number> {
    const { slots, logger, onRoom } = this.#deps;
    const askedAt = performance.now();
    const before = slots.limit;
    const inForce = Math.max(before, slots.maxTaken);
    const share = await renewShare(session, {
      workerId: this.#workerId,
      inForce,
      total: ATTEMPTS_PER_WEBHOOK,
      silenceMs: SILENCE_MS,
      expiryMs: EXPIRY_MS,
    });
    if (share.slots !== this.#share.slots)
      logger.info({ slots: share.slots }, 'the limit of concurrent requests to one webhook changed');
    this.#share = share;
    slots.allow(share.slots, askedAt + VALID_MS);
    if (share.slots > before) onRoom();
    return inForce;
  }

  /** Drops a broken session; the next renewal opens another. @returns true: there is no hurry to ask again */
  #dropSession(fault: unknown): boolean {
    this.#deps.logger.warn({ err: fault }, 'could not announce this webhook worker');
    const broken = this.#session;
    this.#session = null;
    void broken?.end().catch(() => {});
    return true;
  }
}
