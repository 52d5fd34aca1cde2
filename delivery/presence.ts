/**
 * This worker among the others: how many requests to one webhook it may make (db/webhookWorkers.ts),
 * and what time it is. Both come from the database and are asked for every second; a worker that gets
 * no answer stops before the others take its part, so the sum is never above the limit.
 */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import {
  endShare,
  openWorkerSession,
  readClock,
  renewShare,
  type ClockReading,
  type WorkerShare,
} from '../db/webhookWorkers.ts';
import type { Logger } from '../process/logger.ts';
import { WakeUp } from '../process/wakeUp.ts';
import { ATTEMPT_DEADLINE_MS, ATTEMPTS_PER_WEBHOOK } from './limits.ts';
import type { Slots } from './slots.ts';

const RENEW_MS = 1_000;
/** While it waits for others to give back, or has yet to give back itself. */
const CHANGING_MS = 200;
/** An answer holds for so long. */
const VALID_MS = 4_000;
const MARGIN_MS = 1_000;
/** The others may count on it that no attempt begins any more. */
const SILENCE_MS = VALID_MS + MARGIN_MS;
/** The others may count on it that none is under way. */
const EXPIRY_MS = SILENCE_MS + ATTEMPT_DEADLINE_MS + MARGIN_MS;

export interface PresenceDeps {
  databaseUrl: string;
  slots: Slots;
  logger: Logger;
  /** Called when the worker may make more attempts than before. */
  onRoom(): void;
}

export class Presence {
  readonly #deps: PresenceDeps;
  readonly #workerId = randomUUID();
  readonly #pause = new WakeUp();
  #session: pg.Client | null = null;
  #reading: ClockReading | null = null;
  #share: WorkerShare = { slots: 0, waits: true };
  #stopping = false;
  #running: Promise<void> = Promise.resolve();

  constructor(deps: PresenceDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#running = this.#renewUntilStopped();
  }

  /**
   * The time by the database's clock, which all processes share, counted on with a clock that nobody
   * sets: right within half a round trip.
   * @throws before the database was reached; no slot is allowed then either
   */
  now(): Date {
    if (this.#reading === null) throw new Error('the time of the database is not known yet');
    const { databaseTime, askedAt, answeredAt } = this.#reading;
    return new Date(databaseTime + performance.now() - (askedAt + answeredAt) / 2);
  }

  /** Allows no attempt any more, waits for those under way, and leaves its part to the others. */
  async close(): Promise<void> {
    this.#stopping = true;
    this.#pause.ring();
    await this.#running;
    this.#deps.slots.allow(0);
    await this.#deps.slots.idle();
    const session = this.#session;
    if (session === null) return;
    // Without an answer the others wait until the row expires.
    await endShare(session, this.#workerId).catch(() => {});
    await session.end().catch(() => {});
  }

  async #renewUntilStopped(): Promise<void> {
    while (!this.#stopping) {
      const settled = await this.#renew().catch((error: unknown) => this.#lose(error));
      if (!this.#stopping) await this.#pause.sleep(settled ? RENEW_MS : CHANGING_MS);
    }
  }

  /** @returns whether the worker has what it should have, no less and no more */
  async #renew(): Promise<boolean> {
    const session = (this.#session ??= await openWorkerSession(this.#deps.databaseUrl));
    this.#reading = await readClock(session);
    const inForce = await this.#ask(session);
    // What was too much is given back at once; what is still under way, when it has ended.
    const left = inForce > this.#share.slots ? await this.#ask(session) : inForce;
    return !this.#share.waits && left <= this.#share.slots;
  }

  /** @returns what the worker said it had in force */
  async #ask(session: pg.Client): Promise<number> {
    const { slots, logger, onRoom } = this.#deps;
    const askedAt = performance.now();
    const before = slots.limit;
    const inForce = Math.max(before, slots.mostTaken);
    const share = await renewShare(session, {
      workerId: this.#workerId,
      inForce,
      total: ATTEMPTS_PER_WEBHOOK,
      silenceMs: SILENCE_MS,
      expiryMs: EXPIRY_MS,
    });
    if (share.slots !== this.#share.slots) logger.info({ slots: share.slots }, 'requests to one webhook at a time');
    this.#share = share;
    slots.allow(share.slots, askedAt + VALID_MS);
    if (share.slots > before) onRoom();
    return inForce;
  }

  /** A broken session is given up for a new one. @returns true: there is no hurry to ask again */
  #lose(fault: unknown): boolean {
    this.#deps.logger.warn({ err: fault }, 'could not announce this worker of webhooks');
    const broken = this.#session;
    this.#session = null;
    void broken?.end().catch(() => {});
    return true;
  }
}
