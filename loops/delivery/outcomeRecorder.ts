/** Stores settlements in batches and informs the breaker. */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { recordSettlements, settle, type Settlement } from '../../db/webhooks/deliveries/outcomes.ts';
import { isPermanentDatabaseError } from '../../db/errors.ts';
import { inTransaction } from '../../db/pool.ts';
import { recordAddressSigns, type WebhookTally } from '../../db/webhooks/addressHealth.ts';
import { TEST_EVENT } from '../../domain/webhooks/webhookRequest.ts';
import { addressHealth, tallySign } from '../../domain/webhooks/breaker.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { Batcher } from '../../platform/process/concurrency/batcher.ts';
import type { WebhookMetrics } from './metrics.ts';

const MAX_ROWS = 500;
/** About 30 seconds in total: by then the leases end and other workers take over the attempts. */
const RETRY_PAUSES_MS = [100, 250, 500, 1000, 2000, 5000, 5000, 5000, 5000, 5000];

/** Maximum time to wait for an unavailable database. */
export const STORING_PATIENCE_MS = RETRY_PAUSES_MS.reduce((total, pause) => total + pause, 0);

/** Whether a settlement counted, or the database error that it caused. */
type WriteResult = { counted: boolean } | { fault: unknown };

export class Recorder {
  readonly #pool: pg.Pool;
  readonly #logger: Logger;
  readonly #metrics: WebhookMetrics;
  readonly #batcher = new Batcher<Settlement, WriteResult>(MAX_ROWS, (settlements) => this.#write(settlements));

  constructor(pool: pg.Pool, logger: Logger, metrics: WebhookMetrics) {
    this.#pool = pool;
    this.#logger = logger;
    this.#metrics = metrics;
  }

  /**
   * Resolves when the settlement is stored, with whether it counted (see recordSettlements).
   * @throws when the database could not be reached before the lease ended, or refuses this settlement
   */
  async add(settlement: Settlement): Promise<boolean> {
    const results = await this.#batcher.add(settlement);
    if ('fault' in results) throw results.fault;
    return results.counted;
  }

  /** Writes a batch. A settlement that the database refuses must not fail the others. */
  async #write(settlements: readonly Settlement[]): Promise<WriteResult[]> {
    try {
      return (await this.#writeTogether(settlements)).map((counted) => ({ counted }));
    } catch (fault) {
      if (!isPermanentDatabaseError(fault)) throw fault;
      if (settlements.length === 1) return [{ fault }];
    }
    const results: WriteResult[] = [];
    for (const settlement of settlements) results.push(...(await this.#write([settlement])));
    return results;
  }

  #writeTogether(settlements: readonly Settlement[]): Promise<boolean[]> {
    this.#metrics.writeSize.observe(settlements.length);
    const pauses = RETRY_PAUSES_MS.values();
    if (settlements.some(isDown)) return this.#persistently(pauses, () => this.#writeWithHold(settlements));
    return this.#writeWithoutHold(settlements, pauses);
  }

  /** Writes in one transaction: the next first attempt must not begin between a failure and the hold it causes. */
  #writeWithHold(settlements: readonly Settlement[]): Promise<boolean[]> {
    return inTransaction(this.#pool, async (client) => {
      const counted = await recordSettlements(client, settlements);
      const held = await recordAddressSigns(client, talliesOf(settlements.filter((_, index) => counted[index])));
      if (held > 0) this.#metrics.held.inc(held);
      return counted;
    });
  }

  /**
   * Writes in two statements, of which healthy webhooks need only the first. The outcomes are stored first, and the
   * health of the addresses afterwards; if only the second statement fails, only that is repeated. No address is down
   * here, so repeating it changes nothing.
   */
  async #writeWithoutHold(settlements: readonly Settlement[], pauses: Iterator<number>): Promise<boolean[]> {
    let tries = 0;
    const { counted, unwell } = await this.#persistently(pauses, () => {
      tries += 1;
      return settle(this.#pool, settlements);
    });
    // An earlier try may have been stored without our knowledge: none of the settlements counts then, but the responses
    // of the addresses are valid all the same.
    const isCertain = tries === 1;
    const tallies = talliesOf(isCertain ? settlements.filter((_, index) => counted[index]) : settlements);
    if (isCertain && !unwell && tallies.every(({ failingSince }) => failingSince === null)) return counted;
    await this.#persistently(pauses, () => recordAddressSigns(this.#pool, tallies)).catch((error: unknown) =>
      this.#logger.warn({ err: error }, 'could not store how webhook addresses respond'),
    );
    return counted;
  }

  /**
   * Repeats the write until it succeeds or the pauses are used up.
   * @param pauses the pauses left for the batch; all its writes share them
   */
  async #persistently<T>(pauses: Iterator<number>, write: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        const pause = pauses.next();
        if (pause.done || isPermanentDatabaseError(error)) throw error;
        this.#logger.warn({ err: error, pause: pause.value }, 'could not store webhook outcomes; trying again');
        await delay(pause.value);
      }
    }
  }
}

function isDown(settlement: Settlement): boolean {
  return (
    'outcome' in settlement && addressHealth(settlement.outcome.errorCode, settlement.outcome.responseStatus) === 'down'
  );
}

/**
 * Sums up what a batch shows about each address, taking the attempts in the order in which they ended. A failed test
 * does not start a time of failure: it is not retried, so without events nothing would ever end that time.
 */
export function talliesOf(settlements: readonly Settlement[]): WebhookTally[] {
  const tallies = new Map<string, WebhookTally>();
  for (const settlement of settlements) {
    if ('dropped' in settlement) continue;
    const {
      claim: { projectId, webhookId, url, event },
      outcome,
    } = settlement;
    const key = `${webhookId} ${url}`;
    const tally = tallies.get(key) ?? { projectId, webhookId, url, up: false, down: 0, failingSince: null };
    const failingSince =
      outcome.errorCode === null ? null : (tally.failingSince ?? (event === TEST_EVENT ? null : outcome.startedAt));
    tallies.set(key, {
      ...tally,
      ...tallySign(tally, addressHealth(outcome.errorCode, outcome.responseStatus)),
      failingSince,
    });
  }
  return [...tallies.values()];
}
